import { describe, expect, it } from 'vitest';
import { sendBatch } from '../../../lambdas/sender/send-batch.ts';
import { aCompany, COMPANY_ID, OTHER_COMPANY_ID } from '../../factories/a-company.ts';
import { aJob } from '../../factories/a-job.ts';
import { aMessage } from '../../factories/a-message.ts';
import { anEmail, OUTBOX_ID } from '../../factories/an-email.ts';
import { HOUR, iso, MINUTE, NOW, SECOND } from '../../factories/moments.ts';
import { memoryEvidenceReader } from '../../fakes/memory-evidence-reader.ts';
import { ses } from '../../fakes/scripted-mailer.ts';
import { SenderRoom } from '../../fakes/sender-room.ts';
import { serviceError } from '../../fakes/service-error.ts';

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
/** One of several mails. */
const mail = (n: number) => anEmail({ outboxId: id(n), htmlRef: `dynamodb:${id(n)}:${'a'.repeat(64)}` });

const down = () => Promise.reject(serviceError('InternalServerError'));
const statusOf = (room: SenderRoom, outboxId = OUTBOX_ID) => room.emails.one(outboxId).status;

describe('a batch', () => {
  it('is sent, and nothing stays in the queue', async () => {
    const room = SenderRoom.withMessages([mail(1), mail(2), mail(3)]);
    expect(await room.invoke()).toEqual([]);
    expect(room.mailer.accepted.map((each) => each.mail.tags.outboxId).sort()).toEqual([id(1), id(2), id(3)]);
    expect(room.queues.all()).toEqual([]);
    expect(room.emails.all().map(({ status }) => status)).toEqual(['SENT', 'SENT', 'SENT']);
  });

  it('reads its evidence in one call, and costs two writes a mail', async () => {
    const room = SenderRoom.withMessages([mail(1), mail(2)]);
    const reads: number[] = [];
    const read = memoryEvidenceReader(room).read;
    await room.invoke({
      evidence: {
        read: (jobs) => {
          reads.push(jobs.length);
          return read(jobs);
        },
      },
    });
    expect(reads).toEqual([2]);
    expect(room.emails.written).toHaveLength(4);
  });

  it('leaves its evidence on the timeline before SES is called', async () => {
    const room = SenderRoom.withMessages([anEmail()]);
    const seen: string[] = [];
    await room.invoke({
      mailer: {
        send: (outgoing) => {
          seen.push(...room.emails.one(OUTBOX_ID).events.map(({ type }) => type));
          return room.mailer.send(outgoing);
        },
      },
    });
    expect(seen).toEqual(['RECEIVED', 'VALIDATED', 'SENT_ATTEMPT']);
    expect(room.emails.one(OUTBOX_ID).events.map(({ type }) => type)).toEqual([...seen, 'SENT']);
  });

  it('keeps only what failed', async () => {
    const room = SenderRoom.withMessages([mail(1), mail(2), mail(3)]);
    const messages = room.receive().map((each, i) => (i === 1 ? { ...each, body: '{' } : each));
    expect(await sendBatch(messages, room.ports())).toEqual([messages[1]?.messageId]);
    expect([1, 2, 3].map((n) => statusOf(room, id(n)))).toEqual(['SENT', 'PENDING', 'SENT']);
  });

  it('lets suspects go last, and alone', async () => {
    const room = new SenderRoom([1, 2, 3, 4].map((n) => mail(n)));
    const message = (n: number, receiveCount: number) =>
      aMessage({
        messageId: `m${n}`,
        receiveCount,
        body: JSON.stringify(aJob({ outboxId: id(n), htmlRef: mail(n).htmlRef })),
      });
    let under = 0;
    const alone: [string, number][] = [];
    await sendBatch(
      [message(1, 3), message(2, 1), message(3, 4), message(4, 2)],
      room.ports({
        mailer: {
          send: async (outgoing) => {
            under += 1;
            await Promise.resolve();
            alone.push([outgoing.tags.outboxId, under]);
            const result = await room.mailer.send(outgoing);
            under -= 1;
            return result;
          },
        },
      }),
    );
    expect(alone).toEqual([
      [id(2), 2],
      [id(4), 2],
      [id(1), 1],
      [id(3), 1],
    ]);
  });

  it('tells whom it served', async () => {
    const room = SenderRoom.withMessages([mail(1), mail(2)]);
    const served: string[][] = [];
    const figures = {
      companyId: COMPANY_ID,
      roundsWithoutProcessing: 0,
      currentPriority: 5,
      totalProcessed: 2,
      consecutiveBatchCount: 1,
    };
    await room.invoke({
      served: (companyIds) => {
        served.push([...companyIds]);
        return [figures];
      },
    });
    expect(served).toEqual([[COMPANY_ID, COMPANY_ID]]);
    expect(room.lines).toContainEqual({ message: 'tenant served', more: figures });
  });

  it('of nothing asks nobody', async () => {
    const room = new SenderRoom();
    expect(await sendBatch([], room.ports({ evidence: { read: down } }))).toEqual([]);
  });
});

describe('two senders, the same mail, the same moment', () => {
  it('one sends', async () => {
    const room = SenderRoom.withMessages([anEmail()]);
    const batch = room.receive();
    const ends = await Promise.all([sendBatch(batch, room.ports()), sendBatch(batch, room.ports())]);
    expect(room.mailer.calls).toHaveLength(1);
    expect(statusOf(room)).toBe('SENT');
    expect(ends.flat().length).toBeLessThanOrEqual(1);
  });

  it('a mail that is SENT already is acknowledged without a second send', async () => {
    const room = SenderRoom.withMessages([anEmail({ status: 'SENT', sesMessageIds: ['ses-1'] })]);
    expect(await room.invoke()).toEqual([]);
    expect(room.mailer.calls).toEqual([]);
    expect(room.queues.all()).toEqual([]);
  });

  it('an older copy is dropped', async () => {
    const room = new SenderRoom([anEmail({ seq: 2 })]);
    room.enqueue(anEmail({ seq: 1 }));
    expect(await room.invoke()).toEqual([]);
    expect(room.mailer.calls).toEqual([]);
    expect(room.lines).toMatchObject([{ message: 'message dropped' }]);
  });

  it('a mail that somebody else has is waited for in its lane', async () => {
    const claimed = anEmail({
      status: 'SENT_ATTEMPT',
      claimedAt: iso(NOW),
      leaseUntil: iso(NOW + 70 * SECOND),
      attempts: 1,
    });
    const room = SenderRoom.withMessages([claimed]);
    expect(await room.invoke()).toEqual(['message-1']);
    expect(room.queues.all()[0]?.visibleAt).toBe(NOW + 70 * SECOND);
    expect(room.emails.written).toEqual([]);
  });
});

describe('no attempt', () => {
  it('with less than 40 s left: the message comes again at once', async () => {
    const room = SenderRoom.withMessages([anEmail()]);
    room.remainingMs = 39_999;
    expect(await room.invoke()).toEqual(['message-1']);
    expect(room.queues.all()[0]?.visibleAt).toBe(NOW);
    expect(room.emails.written).toEqual([]);
    room.remainingMs = 40_000;
    expect(await room.invoke()).toEqual([]);
    expect(statusOf(room)).toBe('SENT');
  });

  it('after the end: EXPIRED', async () => {
    const room = SenderRoom.withMessages([anEmail({ expiresAt: iso(NOW) })]);
    expect(await room.invoke()).toEqual([]);
    expect(statusOf(room)).toBe('EXPIRED');
    expect(room.mailer.calls).toEqual([]);
  });

  it('if the mail ran out of time while it waited its turn', async () => {
    const room = SenderRoom.withMessages([anEmail({ expiresAt: iso(NOW + SECOND) })]);
    await room.invoke({ pace: () => room.clock.sleep(SECOND) });
    expect(room.emails.one(OUTBOX_ID)).toMatchObject({ status: 'EXPIRED', attempts: 0 });
    expect(room.mailer.calls).toEqual([]);
  });

  it('for a suspended company: held, uncounted, longer each time', async () => {
    const room = SenderRoom.withMessages([anEmail()]);
    await room.tenants.putCompany(aCompany({ suspended: true }));
    for (const minutes of [15, 30, 45]) {
      const before = room.clock.now();
      expect(await room.invoke()).toEqual(['message-1']);
      expect(room.queues.all()[0]?.visibleAt).toBe(before + minutes * MINUTE);
      room.clock.advance(minutes * MINUTE);
    }
    expect(room.emails.one(OUTBOX_ID)).toMatchObject({
      status: 'PENDING',
      attempts: 0,
      holds: 3,
      errorCode: 'COMPANY_SUSPENDED',
    });
    await room.invoke();
    expect(room.queues.all()).toMatchObject([{ messageId: 'message-2', receives: 0 }]);
    await room.tenants.putCompany(aCompany());
    room.clock.advance(HOUR);
    await room.invoke();
    expect(statusOf(room)).toBe('SENT');
  });

  it('paced by recipients, copies included and dropped ones not', async () => {
    const copies = { cc: ['a@example.com', 'b@example.com'], bcc: ['c@example.com'] };
    const room = SenderRoom.withMessages([anEmail(copies)]);
    await room.tenants.putSuppression({
      companyId: COMPANY_ID,
      address: 'b@example.com',
      reason: 'MANUAL',
      createdAt: iso(NOW),
    });
    await room.invoke();
    expect(room.paced).toEqual([3]);
    expect(room.mailer.calls[0]).toMatchObject({ cc: ['a@example.com'], bcc: ['c@example.com'] });
    expect(room.emails.one(OUTBOX_ID).events.map(({ type }) => type)).toContain('RECIPIENT_DROPPED');
  });
});

describe('a mail that must not be sent', () => {
  it('to a suppressed address: FAILED, and its message reaches the DLQ within five receives', async () => {
    const room = SenderRoom.withMessages([anEmail()]);
    await room.tenants.putSuppression({
      companyId: COMPANY_ID,
      address: 'cliente@example.com',
      reason: 'BOUNCE',
      createdAt: iso(NOW),
    });
    for (let receive = 0; receive < 6; receive += 1) await room.invoke();
    expect(room.emails.one(OUTBOX_ID)).toMatchObject({ status: 'FAILED', errorCode: 'RECIPIENT_SUPPRESSED' });
    expect(room.queues.dead).toMatchObject([{ messageId: 'message-1' }]);
    expect(room.emails.written).toHaveLength(1);
    expect(room.mailer.calls).toEqual([]);
  });

  it('without a body', async () => {
    const room = new SenderRoom();
    await room.emails.insert(anEmail());
    room.enqueue(anEmail());
    await room.invoke();
    expect(room.emails.one(OUTBOX_ID)).toMatchObject({ status: 'FAILED', errorCode: 'INVALID_TEMPLATE' });
  });
});

describe('a message that is no valid job', () => {
  it.each([
    ['no JSON', '{', 'INVALID_PAYLOAD'],
    ['no outbox item', JSON.stringify(aJob()), 'OUTBOX_NOT_FOUND'],
    ['another company', JSON.stringify(aJob({ companyId: OTHER_COMPANY_ID })), 'OUTBOX_NOT_FOUND'],
  ])('%s: explained in the log, on its way to the DLQ, no mail touched', async (name, body, errorCode) => {
    const room = new SenderRoom(name === 'another company' ? [anEmail()] : []);
    room.queues.put('express', 'group', body);
    for (let receive = 0; receive < 6; receive += 1) await room.invoke();
    expect(room.queues.dead).toHaveLength(1);
    expect(room.lines[0]).toMatchObject({ message: 'message is no valid job', more: { errorCode } });
    expect(room.emails.written).toEqual([]);
  });

  it('of a newer version: held for the deploy, copied before it would die, never failed', async () => {
    const room = new SenderRoom([anEmail()]);
    room.queues.put('express', 'group', JSON.stringify({ ...aJob(), v: 2 }));
    for (let receive = 1; receive <= 3; receive += 1) {
      expect(await room.invoke()).toEqual(['message-1']);
      room.clock.advance(MINUTE);
    }
    expect(await room.invoke()).toEqual([]);
    expect(room.queues.all()).toMatchObject([{ messageId: 'message-2', group: 'group', receives: 0 }]);
    expect(room.emails.written).toEqual([]);
  });
});

it('five attempts, and no more: then FAILED, then the DLQ', async () => {
  const room = SenderRoom.withMessages([anEmail()], [], ses.unavailable);
  for (let receive = 0; receive < 12; receive += 1) {
    await room.invoke();
    room.clock.advance(10 * MINUTE);
  }
  expect(room.mailer.calls).toHaveLength(5);
  expect(room.emails.one(OUTBOX_ID)).toMatchObject({ status: 'FAILED', attempts: 5, seq: 1 });
  expect(room.queues.dead).toHaveLength(1);
});
