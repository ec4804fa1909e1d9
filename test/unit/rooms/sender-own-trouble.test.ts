import { describe, expect, it } from 'vitest';
import { laneGroup } from '../../../shared/domain/lanes.ts';
import { COMPANY_ID } from '../../factories/a-company.ts';
import { aFailedEmail, anEmail, OUTBOX_ID } from '../../factories/an-email.ts';
import { DAY, HOUR, NOW, SECOND } from '../../factories/moments.ts';
import { memoryEvidenceReader } from '../../fakes/memory-evidence-reader.ts';
import { SenderRoom } from '../../fakes/sender-room.ts';
import { serviceError } from '../../fakes/service-error.ts';

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
/** One of several mails. */
const mail = (n: number) => anEmail({ outboxId: id(n), htmlRef: `dynamodb:${id(n)}:${'a'.repeat(64)}` });

const down = () => Promise.reject(serviceError('InternalServerError'));
const statusOf = (room: SenderRoom, outboxId = OUTBOX_ID) => room.emails.one(outboxId).status;

/** Lets the queue hand out its one message until it has been received so often. */
async function receives(room: SenderRoom, times: number): Promise<void> {
  for (let done = 0; done < times; done += 1)
    for (const message of room.receive()) await room.queues.hide(message, 0);
}

describe('our own trouble is no verdict on the mail', () => {
  it.each([
    [1, 1],
    [2, 5],
    [3, 30],
  ])('at receive %i the message waits %i s', async (receive, seconds) => {
    const room = SenderRoom.withMessages([anEmail()]);
    await receives(room, receive - 1);
    expect(await room.invoke({ evidence: { read: down } })).toEqual(['message-1']);
    expect(room.queues.all()[0]?.visibleAt).toBe(NOW + seconds * SECOND);
    expect(room.emails.written).toEqual([]);
  });

  it('at receive 4 a live mail’s message is copied, so that trouble alone leads nobody to the DLQ', async () => {
    const room = SenderRoom.withMessages([anEmail()]);
    await receives(room, 3);
    expect(await room.invoke({ evidence: { read: down } })).toEqual([]);
    expect(room.queues.all()).toMatchObject([
      { messageId: 'message-2', receives: 0, group: laneGroup(COMPANY_ID, 'normal') },
    ]);
    await room.invoke();
    expect(statusOf(room)).toBe('SENT');
  });

  it('a copy that cannot be made leaves the message', async () => {
    const room = SenderRoom.withMessages([anEmail()]);
    await receives(room, 3);
    const held = { hide: () => Promise.resolve(), copy: down };
    expect(await room.invoke({ evidence: { read: down }, held })).toEqual(['message-1']);
  });

  it('a dead mail’s message is never copied: it would look like an operator’s redrive', async () => {
    const room = new SenderRoom([aFailedEmail({ onInDoubt: 'fail' })]);
    room.enqueue(anEmail());
    for (let receive = 0; receive < 6; receive += 1) {
      await room.invoke({ evidence: { read: down } });
      room.clock.advance(DAY);
    }
    expect(room.queues.dead).toMatchObject([{ messageId: 'message-1' }]);
    expect(room.queues.all()).toEqual([]);
  });

  it('nor is one whose mail cannot be read', async () => {
    const room = SenderRoom.withMessages([anEmail()]);
    await receives(room, 3);
    const emails = { insert: down, save: down, get: down };
    expect(await room.invoke({ evidence: { read: down }, emails })).toEqual(['message-1']);
    expect(room.queues.all()).toHaveLength(1);
  });

  it('a bug of ours is poison, and dies after five receives; the mail lives on', async () => {
    const room = SenderRoom.withMessages([anEmail()]);
    const company = () => Promise.reject(new TypeError('a bug'));
    for (let receive = 0; receive < 6; receive += 1) {
      await room.invoke({ company });
      room.clock.advance(HOUR);
    }
    expect(room.queues.dead).toHaveLength(1);
    expect(statusOf(room)).toBe('PENDING');
  });

  it('a body that cannot be read is the trouble of its own mail only', async () => {
    const room = SenderRoom.withMessages([mail(1), mail(2)]);
    const read = memoryEvidenceReader(room).read;
    const kept = await room.invoke({
      evidence: {
        read: async (jobs) => {
          const [, second] = await read(jobs);
          return [{ status: 'rejected', reason: serviceError('SlowDown') }, ...(second ? [second] : [])];
        },
      },
    });
    expect(kept).toEqual(['message-1']);
    expect(statusOf(room, id(2))).toBe('SENT');
  });

  it('a company that is not in the table is a trouble, too', async () => {
    const room = SenderRoom.withMessages([anEmail()]);
    room.tenants.companies.clear();
    expect(await room.invoke()).toEqual(['message-1']);
    expect(statusOf(room)).toBe('PENDING');
  });

  it('a recipient that cannot be written keeps the mail unclaimed', async () => {
    const room = SenderRoom.withMessages([anEmail()]);
    expect(await room.invoke({ tenants: { putRecipient: down } })).toEqual(['message-1']);
    expect(room.emails.written).toEqual([]);
  });
});
