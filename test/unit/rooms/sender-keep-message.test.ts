import { describe, expect, it } from 'vitest';
import { enqueueCopy, keepMessage } from '../../../lambdas/sender/keep-message.ts';
import type { EmailSendJobData } from '../../../shared/domain/email-job.ts';
import { anEmail } from '../../factories/an-email.ts';
import { NOW, SECOND } from '../../factories/moments.ts';
import { SenderRoom } from '../../fakes/sender-room.ts';

/** A mail and its message, received so many times. */
function received(times: number) {
  const email = anEmail();
  const room = new SenderRoom([email]);
  room.enqueue(email);
  let [message] = room.receive();
  for (let more = 1; more < times; more += 1) {
    if (message) void room.queues.hide(message, 0);
    [message] = room.receive();
  }
  if (!message) throw new Error('no message');
  return { email, room, message };
}

const wait = (attempted: boolean) => ({ ms: 1_500, attempted, why: 'busy' });

describe('a message that must wait', () => {
  it.each([
    [1, true],
    [4, true],
    [1, false],
    [3, false],
  ])('is hidden in its lane at receive %i (attempted: %s)', async (times, attempted) => {
    const { email, room, message } = received(times);
    expect(await keepMessage(message, email, wait(attempted), room.ports())).toBe('keep');
    expect(room.queues.all()).toMatchObject([{ messageId: message.messageId, visibleAt: NOW + 2 * SECOND }]);
    expect(room.emails.written).toEqual([]);
  });

  it.each([
    [5, true],
    [4, false],
    [5, false],
  ])(
    'gets a fresh copy before SQS takes it for poison: receive %i (attempted: %s)',
    async (times, attempted) => {
      const { email, room, message } = received(times);
      expect(await keepMessage(message, email, wait(attempted), room.ports())).toBe('done');
      const copy = room.queues.all()[1];
      expect(copy).toMatchObject({ group: message.group, queue: message.queue, receives: 0 });
      expect(JSON.parse(copy?.body ?? '') as EmailSendJobData).toMatchObject({ seq: 2 });
      const { seq, events } = room.emails.one(email.outboxId);
      expect(seq).toBe(2);
      expect(events).toMatchObject([{ type: 'REQUEUED', meta: { why: 'busy', seq: 2 } }]);
    },
  );
});

describe('no copy is made', () => {
  it('if somebody else has made one', async () => {
    const { email, room, message } = received(4);
    await room.emails.save({ ...email, rev: 2, seq: 2 });
    expect(await keepMessage(message, email, wait(false), room.ports())).toBe('done');
    expect(room.queues.all()).toHaveLength(1);
  });

  it('if the mail is over by now', async () => {
    const { email, room, message } = received(4);
    await room.emails.save({ ...email, rev: 2, status: 'CANCELED' });
    expect(await keepMessage(message, email, wait(false), room.ports())).toBe('done');
    expect(room.queues.all()).toHaveLength(1);
  });
});

it('a copy that SQS does not take is left to the sweeper, and told', async () => {
  const { email, room, message } = received(1);
  const queue = { send: () => Promise.resolve(new Map([[0, 'InternalError']])) };
  await enqueueCopy(email, message, 'group', room.ports({ queue }));
  expect(room.lines).toEqual([
    {
      message: 'copy not enqueued; the sweeper will',
      more: { outboxId: email.outboxId, reason: 'InternalError' },
    },
  ]);
});
