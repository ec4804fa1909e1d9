import { describe, expect, it } from 'vitest';
import { startFaultProxy, type Call, type Refusal } from './fault-proxy.ts';
import { acceptAndLose, until, useGateway } from './gateway.ts';

/** What DynamoDB may say when it cannot. */
const REFUSALS: readonly Refusal[] = [
  { status: 400, type: 'ProvisionedThroughputExceededException' },
  { status: 500, type: 'InternalServerError' },
  { status: 400, type: 'TransactionConflictException' },
];

/** Refuses calls that fit until `times` runs out. The SDK itself tries some of them four times. */
let trouble:
  { fits: (call: Call) => boolean; refusal: Refusal; times: number; when: 'before' | 'after' } | undefined;
const seen: string[] = [];

function refuseNow(call: Call, when: 'before' | 'after'): Refusal | undefined {
  if (when === 'before') seen.push(`${call.room} ${call.operation}`);
  if (!trouble || trouble.when !== when || trouble.times === 0 || !trouble.fits(call)) return undefined;
  trouble.times -= 1;
  return trouble.refusal;
}

const gateway = useGateway({
  endpointsForFunctions: async (endpoints) => {
    const proxy = await startFaultProxy(endpoints.dynamodb, {
      before: (call) => refuseNow(call, 'before'),
      after: (call) => refuseNow(call, 'after'),
    });
    return { ...endpoints, dynamodb: proxy.url };
  },
});

/** Every call to DynamoDB on the way of a mail: the room, the operation, and how to tell two of the same apart. */
const CALLS = [
  ['sender', 'BatchGetItem', ''],
  ['sender', 'GetItem', 'company#'],
  ['sender', 'PutItem', 'recipient#'],
  ['sender', 'PutItem', '"status":{"S":"SENT_ATTEMPT"}'],
  ['sender', 'PutItem', '"status":{"S":"SENT"}'],
] as const;

describe.each(REFUSALS)('DynamoDB answers $type', (refusal) => {
  it.each(CALLS)(
    'to the %s at %s %s: nothing lost, no false verdict, one mail',
    async (room, operation, mark) => {
      for (const when of ['before', 'after'] as const) {
        const to = `faults-${crypto.randomUUID().slice(0, 8)}@example.com`;
        trouble = {
          fits: (call) => call.room === room && call.operation === operation && call.body.includes(mark),
          refusal,
          times: 5,
          when,
        };
        const outboxId = await gateway().accept({ to });
        const mail = await gateway().liveThrough(outboxId, 'SENT', 'FAILED', 'EXPIRED');
        trouble = undefined;
        expect(mail.status).toBe('SENT');
        // Whoever lost the answer to its claim never called SES; the timeline is careful and says in doubt.
        expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
        await until(
          () => gateway().depth('express'),
          (depth) => depth === 0,
        );
      }
    },
  );

  it('to the api: 503, and the same request again is the same mail', async () => {
    for (const when of ['before', 'after'] as const) {
      trouble = {
        fits: ({ room, operation, body }) =>
          room === 'api' && operation === 'PutItem' && body.includes('EMAIL'),
        refusal,
        times: 4,
        when,
      };
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const mail = { to: 'ana@example.com', subject: 'Hello', html: '<p>Hello</p>' };
      const refused = await gateway().post(mail, headers);
      trouble = undefined;
      const answer = await gateway().post(mail, headers);
      expect(answer.status).toBe(202);
      // The SDK tries again by itself where that is safe: then the first answer was a 202 already.
      if (refused.status !== 202)
        expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      await gateway().untilStatus(answer.body.outboxId, 'SENT');
      expect(await gateway().inboxOf(answer.body.outboxId)).toHaveLength(1);
    }
  });

  it('to the authorizer: an error, never a way in; afterwards all is well', async () => {
    trouble = { fits: ({ room }) => room === 'authorizer', refusal, times: 8, when: 'before' };
    const unknown = `eg_live_${'c'.repeat(12)}_${'d'.repeat(40)}`;
    const refused = await gateway().request('/v1/emails/x', { key: unknown });
    trouble = undefined;
    expect(refused.status).toBe(500);
    expect((await gateway().request('/v1/emails/x', { key: unknown })).status).toBe(401);
  });

  it('to the feedback: the event is applied when it is tried again', async () => {
    trouble = { fits: ({ room }) => room === 'feedback', refusal, times: 4, when: 'before' };
    const to = `success+${crypto.randomUUID().slice(0, 8)}@simulator.amazonses.com`;
    const outboxId = await gateway().accept({ to });
    await gateway().untilStatus(outboxId, 'DELIVERED');
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
    trouble = undefined;
  });

  it('to the sweeper: the next sweep finds what this one could not touch', async () => {
    const outboxId = await acceptAndLose(gateway(), 'relay');
    gateway().clock.jump(11 * 60_000);
    trouble = { fits: ({ room }) => room === 'sweeper', refusal, times: 12, when: 'before' };
    await gateway()
      .sweep()
      .catch(() => undefined);
    trouble = undefined;
    await gateway().sweep();
    await gateway().untilStatus(outboxId, 'SENT');
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
  });
});

it('the rooms call DynamoDB as this page believes', () => {
  const rooms = new Set(seen);
  for (const [room, operation] of CALLS) expect(rooms).toContain(`${room} ${operation}`);
  for (const call of ['api PutItem', 'authorizer GetItem', 'feedback GetItem', 'sweeper Query']) {
    expect(rooms).toContain(call);
  }
});
