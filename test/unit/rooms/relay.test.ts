import { describe, expect, it } from 'vitest';
import { relayChanges } from '../../../lambdas/relay/relay-changes.ts';
import type { Email } from '../../../shared/domain/email.ts';
import type { EmailSendJobData } from '../../../shared/domain/email-job.ts';
import type { Enqueue, MailQueue } from '../../../shared/ports/mail-queue.ts';
import { COMPANY_ID } from '../../factories/a-company.ts';
import { anEmail, OUTBOX_ID } from '../../factories/an-email.ts';
import { iso, MINUTE, NOW } from '../../factories/moments.ts';
import { MemoryQueues } from '../../fakes/memory-queues.ts';
import { TestClock } from '../../fakes/test-clock.ts';

const change = (sequenceNumber: string, email: Partial<Email> | undefined) => ({
  sequenceNumber,
  image: email && { ...anEmail(), ...email },
});

it('puts each mail into the queue and the lane of its priority, in the order of the stream', async () => {
  const sent: Enqueue[] = [];
  const queue: MailQueue = {
    send: (entries) => {
      sent.push(...entries);
      return Promise.resolve(new Map());
    },
  };
  const unrelayed = await relayChanges(
    [
      change('1', { lane: 'urgent' }),
      change('2', { lane: 'bulk:3' }),
      change('3', { lane: 'normal', seq: 4 }),
    ],
    { queue, now: () => NOW },
  );
  expect(unrelayed).toEqual([]);
  expect(sent.map(({ queue: name, group }) => [name, group])).toEqual([
    ['express', `${COMPANY_ID}:urgent`],
    ['bulk', `${COMPANY_ID}:bulk:3`],
    ['express', `${COMPANY_ID}:normal`],
  ]);
  expect(sent[2]?.job).toMatchObject({ outboxId: OUTBOX_ID, seq: 4, enqueuedAt: iso(NOW), attempt: 1 });
});

it('a stream that is replayed within minutes adds no message', async () => {
  const clock = new TestClock();
  const queues = new MemoryQueues(clock.now);
  for (let replay = 0; replay < 3; replay += 1) {
    await relayChanges([change('1', {})], { queue: queues, now: clock.now });
    clock.advance(MINUTE);
  }
  expect(queues.all()).toHaveLength(1);
  expect((JSON.parse(queues.all()[0]?.body ?? '') as EmailSendJobData).outboxId).toBe(OUTBOX_ID);
});

describe('what was not relayed is shown by its sequence number', () => {
  it('because it makes no job, while its neighbours go', async () => {
    const queues = new MemoryQueues(() => NOW);
    const unrelayed = await relayChanges(
      [change('1', { subject: '' }), change('2', {}), change('3', undefined)],
      { queue: queues, now: () => NOW },
    );
    expect(unrelayed).toEqual([
      { sequenceNumber: '1', outboxId: OUTBOX_ID, reason: expect.stringContaining('subject') },
      { sequenceNumber: '3', outboxId: undefined, reason: expect.any(String) },
    ]);
    expect(queues.all()).toHaveLength(1);
  });

  it('because SQS did not take it, whatever stood before it', async () => {
    const queue: MailQueue = { send: () => Promise.resolve(new Map([[1, 'InternalError: try later']])) };
    const unrelayed = await relayChanges(
      [change('1', { subject: '' }), change('2', {}), change('3', { outboxId: COMPANY_ID })],
      { queue, now: () => NOW },
    );
    expect(unrelayed.map(({ sequenceNumber }) => sequenceNumber)).toEqual(['1', '3']);
    expect(unrelayed[1]).toEqual({
      sequenceNumber: '3',
      outboxId: COMPANY_ID,
      reason: 'InternalError: try later',
    });
  });
});
