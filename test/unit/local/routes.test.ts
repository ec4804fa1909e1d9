import { describe, expect, it } from 'vitest';
import { matchRoute, type Route } from '../../../local/http/routes.ts';

const route = (key: string): Route => ({ key, integration: key, authorizer: undefined });
const routes = [
  'ANY /{proxy+}',
  'GET /v1/emails/{outboxId}',
  'GET /v1/emails/latest',
  'ANY /v1/emails/{outboxId}',
  'POST /v1/emails/{outboxId}/cancel',
  'GET /v1/files/{path+}',
  'GET /',
].map(route);

describe('a request goes to', () => {
  it.each([
    ['GET', '/v1/emails/latest', 'GET /v1/emails/latest', {}],
    ['GET', '/v1/emails/42', 'GET /v1/emails/{outboxId}', { outboxId: '42' }],
    ['DELETE', '/v1/emails/42', 'ANY /v1/emails/{outboxId}', { outboxId: '42' }],
    ['POST', '/v1/emails/42/cancel', 'POST /v1/emails/{outboxId}/cancel', { outboxId: '42' }],
    ['GET', '/v1/files/a/b.txt', 'GET /v1/files/{path+}', { path: 'a/b.txt' }],
    ['GET', '/v1/files/', 'ANY /{proxy+}', { proxy: 'v1/files/' }],
    ['GET', '/v1/emails/', 'ANY /{proxy+}', { proxy: 'v1/emails/' }],
    ['GET', '/v1/emails/42/more', 'ANY /{proxy+}', { proxy: 'v1/emails/42/more' }],
    ['GET', '/', 'GET /', {}],
  ])('%s %s → %3$s', (method, path, key, pathParameters) => {
    const match = matchRoute(routes, method, path);
    expect([match?.route.key, match?.pathParameters]).toEqual([key, pathParameters]);
  });

  it.each([
    ['/v1/emails/latest', 'GET /v1/emails/latest'],
    ['/v1/emails/42', 'GET /v1/emails/{outboxId}'],
  ])('the same route whatever the order in the template: %s', (path, key) => {
    expect(matchRoute([...routes].reverse(), 'GET', path)?.route.key).toBe(key);
  });

  it('$default when nothing else fits', () => {
    const withDefault = [route('$default'), route('GET /a')];
    expect(matchRoute(withDefault, 'GET', '/a')?.route.key).toBe('GET /a');
    expect(matchRoute(withDefault, 'POST', '/a')).toEqual({ route: route('$default'), pathParameters: {} });
  });

  it('nowhere if there is no route for it', () => {
    expect(matchRoute([route('GET /a')], 'POST', '/a')).toBeUndefined();
    expect(matchRoute([route('GET /a')], 'GET', '/A')).toBeUndefined();
    expect(matchRoute(routes, 'POST', '/')).toBeUndefined();
  });
});
