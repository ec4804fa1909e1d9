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

  it.each(['BODY#', '"EMAIL"'])(
    'to the api at PutItem %s: 503, and the same request again is the same mail',
    async (mark) => {
      for (const when of ['before', 'after'] as const) {
        trouble = {
          fits: ({ room, operation, body }) =>
            room === 'api' && operation === 'PutItem' && body.includes(mark),
          refusal,
          times: 4,
          when,
        };
        const headers = { 'idempotency-key': crypto.randomUUID() };
        const mail = { to: 'ana@example.com', subject: 'Hello', html: '<p>Hello</p>' };
        const refused = await gateway().post(mail, headers);
        trouble = undefined;
        expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
        const answer = await gateway().post(mail, headers);
        expect(answer.status).toBe(202);
        await gateway().untilStatus(answer.body.outboxId, 'SENT');
        expect(await gateway().inboxOf(answer.body.outboxId)).toHaveLength(1);
      }
    },
  );

  it.each([
    ['GetItem', (outboxId: string) => `/v1/emails/${outboxId}`],
    ['Query', () => '/v1/emails'],
    ['BatchGetItem', () => '/v1/emails'],
  ])('to the api at %s: 503, and nothing of ours in the answer', async (operation, path) => {
    const outboxId = await gateway().accept();
    trouble = {
      fits: (call) => call.room === 'api' && call.operation === operation,
      refusal,
      times: 4,
      when: 'before',
    };
    const answer = await gateway().request<object>(path(outboxId));
    trouble = undefined;
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(JSON.stringify(answer.body)).not.toMatch(/Table|dynamo|Exception/i);
  });

  it.each([
    ['RETRY_SCHEDULED', 'ServiceUnavailableException', 'SENT'],
    ['FAILED', 'MessageRejected', 'FAILED'],
  ] as const)(
    'to the sender when it records %s: the mail still ends as it should',
    async (status, error, end) => {
      for (const when of ['before', 'after'] as const) {
        const to = `record-${crypto.randomUUID().slice(0, 8)}@example.com`;
        const dead = await gateway().depth('deadLetter');
        // For ever where it is to fail: a record that was lost is a reason to try again, never a verdict.
        await gateway().order('faults', { to, error, times: end === 'SENT' ? 1 : -1 });
        trouble = {
          fits: ({ room, operation, body }) =>
            room === 'sender' && operation === 'PutItem' && body.includes(`"status":{"S":"${status}"}`),
          refusal,
          times: 4,
          when,
        };
        const outboxId = await gateway().accept({ to });
        await gateway().liveThrough(outboxId, end);
        trouble = undefined;
        expect(await gateway().inboxOf(outboxId)).toHaveLength(end === 'SENT' ? 1 : 0);
        await until(
          () => gateway().depth('deadLetter'),
          (depth) => depth === dead + (end === 'SENT' ? 0 : 1),
        );
      }
    },
  );

  it('to the authorizer: an error, never a way in; afterwards all is well', async () => {
    trouble = { fits: ({ room }) => room === 'authorizer', refusal, times: 8, when: 'before' };
    const unknown = `eg_live_${'c'.repeat(12)}_${'d'.repeat(40)}`;
    const refused = await gateway().request('/v1/emails/x', { key: unknown });
    trouble = undefined;
    expect(refused.status).toBe(500);
    expect((await gateway().request('/v1/emails/x', { key: unknown })).status).toBe(401);
  });

  it.each(['GetItem', 'PutItem'])(
    'to the feedback at %s: the event is applied when it is tried again',
    async (operation) => {
      trouble = {
        fits: (call) => call.room === 'feedback' && call.operation === operation,
        refusal,
        // Lambda invokes three times in all.
        times: 2,
        when: 'before',
      };
      const to = `success+${crypto.randomUUID().slice(0, 8)}@simulator.amazonses.com`;
      const outboxId = await gateway().accept({ to });
      await gateway().untilStatus(outboxId, 'DELIVERED');
      expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
      trouble = undefined;
    },
  );

  it.each(['Query', 'GetItem', 'PutItem'])(
    'to the sweeper at %s: the next sweep finds what this one could not touch',
    async (operation) => {
      const outboxId = await acceptAndLose(gateway(), 'relay');
      gateway().clock.jump(11 * 60_000);
      trouble = {
        fits: (call) => call.room === 'sweeper' && call.operation === operation,
        refusal,
        times: 12,
        when: 'before',
      };
      await gateway()
        .sweep()
        .catch(() => undefined);
      trouble = undefined;
      await gateway().sweep();
      await gateway().untilStatus(outboxId, 'SENT');
      expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
    },
  );
});

it('no room makes a call that this page does not know', () => {
  const known = new Set([
    ...['authorizer GetItem', 'api PutItem', 'api GetItem', 'api Query', 'api BatchGetItem'],
    ...['sender BatchGetItem', 'sender GetItem', 'sender PutItem'],
    ...['feedback GetItem', 'feedback PutItem', 'sweeper Query', 'sweeper GetItem', 'sweeper PutItem'],
  ]);
  expect(new Set(seen)).toEqual(known);
});
