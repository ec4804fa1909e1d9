import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../local/clock.ts';
import { Authorizer } from '../../../local/http/authorizer.ts';
import type { RequestPart } from '../../../local/http/request-event.ts';
import { NOW, SECOND } from '../../factories/moments.ts';
import { ScriptedFunction } from '../../factories/scripted-function.ts';

const aRequest = (headers: Record<string, string>, routeKey = 'GET /a', query: Record<string, string> = {}) =>
  ({
    headers,
    routeKey,
    rawPath: '/a',
    queryStringParameters: query,
    requestContext: { apiId: 'api', http: { method: 'GET', sourceIp: '203.0.113.9' } },
  }) as unknown as RequestPart;

function anAuthorizer(
  answer: (event: { identitySource: string[] }, call: number) => unknown,
  overrides = {},
) {
  const clock = new ManualClock(NOW);
  const target = new ScriptedFunction(answer);
  const settings = { identitySources: ['$request.header.X-API-Key'], resultTtlMs: 60 * SECOND, ...overrides };
  return { clock, target, authorizer: new Authorizer(target, settings, clock) };
}

const allow = (_event: unknown, call: number) => ({ isAuthorized: true, context: { call } });

describe('an authorizer', () => {
  it('is not asked about a request without identity', async () => {
    const { authorizer, target } = anAuthorizer(allow);
    expect(await authorizer.authorize(aRequest({}))).toEqual({ kind: 'unauthorized' });
    expect(await authorizer.authorize(aRequest({ 'x-api-key': '' }))).toEqual({ kind: 'unauthorized' });
    expect(target.events).toEqual([]);
  });

  it('is asked once for each identity, until its answer is too old', async () => {
    const { authorizer, clock } = anAuthorizer(allow);
    const ask = (key: string) => authorizer.authorize(aRequest({ 'x-api-key': key }));
    const answered = (call: number) => ({ kind: 'allowed', context: { call } });
    expect(await ask('one')).toEqual(answered(1));
    expect(await ask('two')).toEqual(answered(2));
    clock.advance(60 * SECOND - 1);
    expect([await ask('one'), await ask('two')]).toEqual([answered(1), answered(2)]);
    clock.advance(1);
    expect(await ask('one')).toEqual(answered(3));
  });

  it('has a refusal remembered as well', async () => {
    const { authorizer, target } = anAuthorizer(() => ({ isAuthorized: false }));
    const request = aRequest({ 'x-api-key': 'k' });
    expect([await authorizer.authorize(request), await authorizer.authorize(request)]).toEqual([
      { kind: 'denied' },
      { kind: 'denied' },
    ]);
    expect(target.events).toHaveLength(1);
  });

  it.each([
    ['fails', () => new Error('no database')],
    ['answers nothing', () => null],
    ['answers with a policy', () => ({ policyDocument: {} })],
    ['answers with text', () => ({ isAuthorized: 'true' })],
  ])('that %s lets nobody in, and is asked again', async (_how, broken) => {
    const { authorizer } = anAuthorizer((event, call) => (call === 1 ? broken() : allow(event, call)));
    const request = aRequest({ 'x-api-key': 'k' });
    expect(await authorizer.authorize(request)).toEqual({ kind: 'failed' });
    expect(await authorizer.authorize(request)).toEqual({ kind: 'allowed', context: { call: 2 } });
  });

  it.each([
    ['without caching', { resultTtlMs: 0 }],
    ['without an identity source', { identitySources: [] }],
  ])('%s is asked every time', async (_how, overrides) => {
    const { authorizer } = anAuthorizer(allow, overrides);
    for (const call of [1, 2]) {
      const request = aRequest({ 'x-api-key': 'k' });
      expect(await authorizer.authorize(request)).toEqual({ kind: 'allowed', context: { call } });
    }
  });

  it('tells identities apart by every source, in order', async () => {
    const identitySources = [
      '$request.header.A',
      '$request.querystring.b',
      '$context.identity.sourceIp',
      '$context.routeKey',
    ];
    const { authorizer, target } = anAuthorizer(allow, { identitySources });
    await authorizer.authorize(aRequest({ a: 'x,y' }, 'GET /a', { b: 'z' }));
    await authorizer.authorize(aRequest({ a: 'x' }, 'GET /a', { b: 'y,z' }));
    await authorizer.authorize(aRequest({ a: 'x' }, 'GET /b', { b: 'y,z' }));
    expect(target.events.map(({ identitySource }) => identitySource)).toEqual([
      ['x,y', 'z', '203.0.113.9', 'GET /a'],
      ['x', 'y,z', '203.0.113.9', 'GET /a'],
      ['x', 'y,z', '203.0.113.9', 'GET /b'],
    ]);
  });

  it('refuses an identity source that it does not know, by name', async () => {
    const { authorizer } = anAuthorizer(allow, { identitySources: ['$stageVariables.x'] });
    await expect(authorizer.authorize(aRequest({}))).rejects.toThrow('$stageVariables.x');
  });
});
