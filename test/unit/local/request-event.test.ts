import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  authorizerEvent,
  decodedPath,
  integrationEvent,
  requestPart,
} from '../../../local/http/request-event.ts';

const NOON = Date.UTC(2026, 2, 1, 12, 3, 4, 567);

function aRequest(url: string, headers: readonly string[] = [], method = 'GET'): IncomingMessage {
  const socket = { remoteAddress: '203.0.113.9', localPort: 8787 };
  return { url, method, httpVersion: '1.1', rawHeaders: headers, socket } as unknown as IncomingMessage;
}

function aPart(url: string, headers: readonly string[] = [], pathParameters: Record<string, string> = {}) {
  const route = { key: 'GET /v1/emails/{outboxId}', integration: 'i', authorizer: undefined };
  return requestPart(aRequest(url, headers), { route, pathParameters }, 'api-id', NOON);
}

describe('an event in payload format 2.0', () => {
  it('says everything about the request', () => {
    const part = aPart('/v1/emails/42?a=1', ['Host', 'localhost:8787', 'User-Agent', 'curl/8'], {
      outboxId: '42',
    });
    expect(part).toEqual({
      version: '2.0',
      routeKey: 'GET /v1/emails/{outboxId}',
      rawPath: '/v1/emails/42',
      rawQueryString: 'a=1',
      headers: {
        host: 'localhost:8787',
        'user-agent': 'curl/8',
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-port': '8787',
        'x-forwarded-proto': 'http',
      },
      queryStringParameters: { a: '1' },
      pathParameters: { outboxId: '42' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'api-id',
        domainName: 'localhost:8787',
        domainPrefix: 'api-id',
        http: {
          method: 'GET',
          path: '/v1/emails/42',
          protocol: 'HTTP/1.1',
          sourceIp: '203.0.113.9',
          userAgent: 'curl/8',
        },
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        routeKey: 'GET /v1/emails/{outboxId}',
        stage: '$default',
        time: '01/Mar/2026:12:03:04 +0000',
        timeEpoch: NOON,
      },
    });
  });

  it('has header names in lower case, and repeated ones joined by commas', () => {
    const { headers } = aPart('/', ['X-Api-Key', 'Secret', 'Accept', 'a', 'ACCEPT', 'b']);
    expect(headers).toMatchObject({ 'x-api-key': 'Secret', accept: 'a,b' });
  });

  it('appends the source to what proxies said before', () => {
    const { headers } = aPart('/', ['X-Forwarded-For', '198.51.100.1', 'X-Forwarded-Proto', 'gopher']);
    expect(headers).toMatchObject({
      'x-forwarded-for': '198.51.100.1,203.0.113.9',
      'x-forwarded-proto': 'http',
    });
  });

  it('has cookies in a list of their own', () => {
    const part = aPart('/', ['Cookie', 'a=1; b=2;c=3']);
    expect(part.cookies).toEqual(['a=1', 'b=2', 'c=3']);
    expect(part.headers).not.toHaveProperty('cookie');
    expect(aPart('/')).not.toHaveProperty('cookies');
  });

  it('has query parameters decoded, and repeated ones joined by commas', () => {
    const part = aPart('/v1?tag=a%20b&tag=c&empty=&plus=x+y&q=a?b');
    expect(part.queryStringParameters).toEqual({ tag: 'a b,c', empty: '', plus: 'x y', q: 'a?b' });
    expect(part.rawQueryString).toBe('tag=a%20b&tag=c&empty=&plus=x+y&q=a?b');
  });

  it('has no parameters where there are none', () => {
    const part = aPart('/v1');
    expect(part.rawQueryString).toBe('');
    expect(part).not.toHaveProperty('queryStringParameters');
    expect(part).not.toHaveProperty('pathParameters');
  });

  it.each([
    ['/a%20b/%C3%A9?x=%20', '/a b/é'],
    ['/broken%zz', '/broken%zz'],
    ['/plain', '/plain'],
  ])('has the path %s decoded', (url, path) => {
    expect([decodedPath(url), aPart(url).rawPath]).toEqual([path, path]);
  });
});

describe('the body', () => {
  const bytes = Buffer.from([0x7b, 0xc3, 0xa9, 0x7d]);
  const bodyAs = (contentType?: string, body = bytes) => {
    const part = aPart('/', contentType === undefined ? [] : ['Content-Type', contentType]);
    const { body: text, isBase64Encoded } = integrationEvent(part, body, undefined);
    return { text, isBase64Encoded };
  };

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/csv',
    'TEXT/HTML',
    'application/xml',
  ])('is text if it is %s', (type) => {
    expect(bodyAs(type)).toEqual({ text: '{é}', isBase64Encoded: false });
  });

  it.each([
    'application/octet-stream',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    undefined,
  ])('is base64 if it is %s', (type) => {
    expect(bodyAs(type)).toEqual({ text: bytes.toString('base64'), isBase64Encoded: true });
  });

  it('is absent if it is empty', () => {
    const event = integrationEvent(aPart('/'), Buffer.alloc(0), undefined);
    expect(event).not.toHaveProperty('body');
    expect(event.isBase64Encoded).toBe(false);
  });
});

it("an integration is told the authorizer's context, if there is one", () => {
  const part = aPart('/');
  const context = { companyId: 'c1' };
  expect(integrationEvent(part, Buffer.alloc(0), context).requestContext).toEqual({
    ...part.requestContext,
    authorizer: { lambda: context },
  });
  expect(integrationEvent(part, Buffer.alloc(0), undefined).requestContext).not.toHaveProperty('authorizer');
});

it('an authorizer is told the route and the identity', () => {
  expect(authorizerEvent(aPart('/v1/emails/42'), ['key'])).toMatchObject({
    version: '2.0',
    type: 'REQUEST',
    routeArn: 'arn:aws:execute-api:us-east-1:000000000000:api-id/$default/GET/v1/emails/42',
    identitySource: ['key'],
    cookies: [],
    headers: { 'x-forwarded-for': '203.0.113.9' },
  });
});
