import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { answer, type ApiPorts } from '../../../lambdas/api/answer.ts';
import { apiEdge } from '../../../lambdas/api/api-edge.ts';
import type { ApiEvent, ApiResult } from '../../../lambdas/api/http.ts';
import { methodsOf, routes } from '../../../lambdas/api/routes.ts';
import type { Verdict } from '../../../shared/domain/api-key.ts';
import { OTHER_COMPANY_ID } from '../../factories/a-company.ts';
import { aKeyring } from '../../factories/a-keyring.ts';
import { aSendBody } from '../../factories/a-send-request.ts';
import { anApiEvent, type Asked } from '../../factories/an-api-event.ts';
import { anEmail, OUTBOX_ID } from '../../factories/an-email.ts';
import { NOW } from '../../factories/moments.ts';
import { countingBytes } from '../../factories/random-bytes.ts';
import { capturedLogger } from '../../fakes/captured-logger.ts';
import { MemoryBodyStore } from '../../fakes/memory-body-store.ts';
import { MemoryEmailStore } from '../../fakes/memory-email-store.ts';
import { serviceError } from '../../fakes/service-error.ts';

let emails: MemoryEmailStore;
let ports: ApiPorts;
let noted: { outboxId: string; replayed: boolean }[];

beforeEach(() => {
  emails = new MemoryEmailStore();
  noted = [];
  ports = {
    emails,
    bodies: new MemoryBodyStore(),
    keyring: () => Promise.resolve(aKeyring()),
    now: () => NOW,
    random: countingBytes(),
    accepted: ({ outboxId }, replayed) => noted.push({ outboxId, replayed }),
    failed: () => {},
    retentionDays: 30,
  };
});

interface Answered {
  readonly status: number | undefined;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
  readonly log: string;
}

/** Through the edge, as the handler does it. */
async function ask(asked: Asked): Promise<Answered> {
  const { logger, output } = capturedLogger();
  const handler = middy<ApiEvent, ApiResult>()
    .use(apiEdge(logger))
    .handler((event) => answer(event, ports));
  const result = await handler(anApiEvent(asked), {} as Context);
  return {
    status: result.statusCode,
    headers: result.headers as Record<string, string>,
    body: JSON.parse(result.body ?? '') as Record<string, unknown>,
    log: output(),
  };
}

const post = (body: unknown = aSendBody(), asked: Asked = {}) =>
  ask({ body: typeof body === 'string' ? body : JSON.stringify(body), ...asked });

describe('POST /v1/email/send', () => {
  it('answers 202 with where to look', async () => {
    const { status, headers, body } = await post();
    const [email] = emails.all();
    expect(status).toBe(202);
    expect(body).toEqual({
      outboxId: email?.outboxId,
      jobId: email?.outboxId,
      requestId: 'gateway-request-1',
      status: 'PENDING',
      receivedAt: new Date(NOW).toISOString(),
    });
    expect(headers).toEqual({
      'content-type': 'application/json',
      location: `/v1/emails/${email?.outboxId}`,
      'x-request-id': 'gateway-request-1',
    });
    expect(noted).toEqual([{ outboxId: email?.outboxId, replayed: false }]);
  });

  it('says so when it answers a second time', async () => {
    const headers = { 'idempotency-key': 'order-1' };
    const first = await post(aSendBody(), { headers });
    const second = await post(aSendBody(), { headers: { ...headers, 'x-request-id': 'again' } });
    expect(second.body).toEqual(first.body);
    expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true', 'x-request-id': 'again' });
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(noted.map(({ replayed }) => replayed)).toEqual([false, true]);
  });

  it('answers 409 to another request under the same key', async () => {
    const headers = { 'idempotency-key': 'order-1' };
    const first = await post(aSendBody(), { headers });
    const second = await post(aSendBody({ subject: 'Other' }), { headers });
    expect(second).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } });
    expect(second.body['detail']).toContain(first.body['outboxId']);
  });

  it('takes a body in base64, as API Gateway may send it', async () => {
    const body = Buffer.from(JSON.stringify(aSendBody({ subject: 'Olá' }))).toString('base64');
    expect((await ask({ body, base64: true })).status).toBe(202);
    expect(emails.all()[0]?.subject).toBe('Olá');
  });

  it('answers 422 with every fault and where it is', async () => {
    const { status, headers, body } = await post({ to: 'nobody', subject: '', html: '<p>a</p>', colour: 1 });
    expect(status).toBe(422);
    expect(headers['content-type']).toBe('application/problem+json');
    const pointers = (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
    expect(pointers.sort()).toEqual(['/colour', '/subject', '/to']);
    expect(emails.all()).toEqual([]);
  });

  it.each([
    ['MALFORMED_JSON', 400, '{"to":', {}],
    ['MALFORMED_JSON', 400, '', {}],
    ['UNSUPPORTED_MEDIA_TYPE', 415, '{}', { 'content-type': 'text/plain' }],
    ['UNSUPPORTED_MEDIA_TYPE', 415, '{}', { 'content-type': 'application/jsonp' }],
    ['INVALID_IDEMPOTENCY_KEY', 400, '{}', { 'idempotency-key': 'a b' }],
    ['INVALID_IDEMPOTENCY_KEY', 400, '{}', { 'idempotency-key': 'a'.repeat(129) }],
    ['BODY_TOO_LARGE', 413, `"${'é'.repeat(2 * 1024 * 1024)}"`, {}],
    ['VALIDATION_FAILED', 422, 'null', {}],
  ])('refuses by %s', async (code, status, body, headers) => {
    expect(await ask({ body, headers })).toMatchObject({ status, body: { code, status } });
  });

  it('takes a content type with a charset', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await post(aSendBody(), { headers })).status).toBe(202);
  });
});

const refusals: [Exclude<Verdict['verdict'], 'allowed'>, number, string][] = [
  ['missing', 401, 'API_KEY_MISSING'],
  ['unknown', 401, 'API_KEY_UNKNOWN'],
  ['expired', 401, 'API_KEY_EXPIRED'],
  ['revoked', 401, 'API_KEY_REVOKED'],
  ['address', 403, 'ADDRESS_NOT_ALLOWED'],
  ['suspended', 403, 'COMPANY_SUSPENDED'],
];

describe('whoever may not come in', () => {
  it.each(refusals)('with the verdict %s is answered %i %s', async (verdict, status, code) => {
    expect(await post(aSendBody(), { verdict: { verdict } })).toMatchObject({ status, body: { code } });
    expect(emails.all()).toEqual([]);
  });

  it('comes without a verdict, if the authorizer was not asked', async () => {
    expect(await post(aSendBody(), { verdict: undefined })).toMatchObject({ status: 401 });
  });

  it.each(['GET', 'DELETE'] as const)('may not %s a mail either', async (method) => {
    emails = new MemoryEmailStore(anEmail());
    ports = { ...ports, emails };
    const route = `${method} /v1/emails/{outboxId}` as const;
    const asked = { route, outboxId: OUTBOX_ID, verdict: { verdict: 'expired' } } as const;
    expect(await ask(asked)).toMatchObject({ status: 401 });
    expect(emails.written).toEqual([]);
  });
});

describe('a mail by its id', () => {
  const GET = 'GET /v1/emails/{outboxId}';
  const DELETE = 'DELETE /v1/emails/{outboxId}';

  it('is shown to its owner', async () => {
    await emails.insert(anEmail());
    const { status, body } = await ask({ route: GET, outboxId: OUTBOX_ID.toUpperCase() });
    expect(status).toBe(200);
    expect(body).toMatchObject({ outboxId: OUTBOX_ID, status: 'PENDING', events: [] });
    expect(JSON.stringify(body)).not.toContain('fingerprint');
  });

  it.each([GET, DELETE] as const)(
    'of another tenant is as unknown as one that never was: %s',
    async (route) => {
      await emails.insert(anEmail({ companyId: OTHER_COMPANY_ID }));
      const absent = 'aaaaaaaa-e89b-42d3-a456-426614174000';
      for (const outboxId of [OUTBOX_ID, absent, 'not-an-id'])
        expect(await ask({ route, outboxId })).toMatchObject({
          status: 404,
          body: { code: 'EMAIL_NOT_FOUND' },
        });
      expect(emails.written).toHaveLength(1);
    },
  );

  it('is canceled', async () => {
    await emails.insert(anEmail());
    expect(await ask({ route: DELETE, outboxId: OUTBOX_ID })).toMatchObject({
      status: 200,
      body: { status: 'CANCELED' },
    });
  });

  it('is not canceled when it is too late', async () => {
    await emails.insert(anEmail({ status: 'SENT' }));
    expect(await ask({ route: DELETE, outboxId: OUTBOX_ID })).toMatchObject({
      status: 409,
      body: { code: 'NOT_CANCELABLE', detail: 'It is SENT.' },
    });
  });
});

describe('what no route answers', () => {
  it('is 404 if there is nothing', async () => {
    expect(await ask({ route: '$default', path: '/v1/nothing' })).toMatchObject({ status: 404 });
  });

  it('is 405 with the methods that there are', async () => {
    const answered = await ask({ route: '$default', path: `/v1/emails/${OUTBOX_ID}` });
    expect(answered).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
    expect(answered.headers['allow']).toBe('GET, DELETE');
  });

  it('GET /health needs no key', async () => {
    expect(await ask({ route: 'GET /health', verdict: undefined })).toMatchObject({ status: 200 });
  });

  it('every route has its methods', () => {
    for (const { method, path } of routes) expect(methodsOf(path.replace(/\{\w+\}/, 'x'))).toContain(method);
    expect(methodsOf('/v1/emails/a/b')).toEqual([]);
  });
});

describe('the edge', () => {
  it.each([
    ['partner-7.x_Y', 'partner-7.x_Y'],
    ['two words', 'gateway-request-1'],
    ['x'.repeat(129), 'gateway-request-1'],
  ])('echoes the request id %j as %s, on errors too', async (given, echoed) => {
    const { headers, body } = await ask({ body: '{', headers: { 'x-request-id': given } });
    expect(headers['x-request-id']).toBe(echoed);
    expect(body['requestId']).toBe(echoed);
  });

  it.each([
    ['ProvisionedThroughputExceededException', 503, 'UNAVAILABLE'],
    ['ThrottlingException', 503, 'UNAVAILABLE'],
    ['TransactionConflictException', 503, 'UNAVAILABLE'],
    ['InternalServerError', 503, 'UNAVAILABLE'],
    ['TimeoutError', 503, 'UNAVAILABLE'],
    ['ValidationException', 500, 'INTERNAL_ERROR'],
    ['TypeError', 500, 'INTERNAL_ERROR'],
  ])('answers %s of a service with %i %s, and tells nothing of ours', async (name, status, code) => {
    emails.insert = () =>
      Promise.reject(Object.assign(serviceError(name), { message: 'table email-gateway-secret' }));
    const answered = await post();
    expect(answered).toMatchObject({ status, body: { code } });
    expect(JSON.stringify(answered.body)).not.toContain('email-gateway-secret');
    expect(answered.log).toContain('request failed');
  });

  it('does not log what the partner did wrong as a failure of ours', async () => {
    expect((await ask({ body: '{' })).log).toBe('');
  });
});
