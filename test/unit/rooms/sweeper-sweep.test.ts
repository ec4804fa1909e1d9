import { describe, expect, it } from 'vitest';
import { sweep, type SweepPorts } from '../../../lambdas/sweeper/sweep.ts';
import type { Email } from '../../../shared/domain/email.ts';
import type { EmailSendJobData } from '../../../shared/domain/email-job.ts';
import { jobFromEmail } from '../../../shared/domain/job-from-email.ts';
import { asideGroup, laneGroup, queueOf } from '../../../shared/domain/lanes.ts';
import { newOutboxId } from '../../../shared/domain/outbox-id.ts';
import { placeInWorkset } from '../../../shared/domain/workset.ts';
import { COMPANY_ID } from '../../factories/a-company.ts';
import { anEmail } from '../../factories/an-email.ts';
import { iso, MINUTE, NOW } from '../../factories/moments.ts';
import { MemoryEmailStore } from '../../fakes/memory-email-store.ts';
import { MemoryQueues } from '../../fakes/memory-queues.ts';
import { memoryWorkset } from '../../fakes/memory-workset.ts';
import { serviceError } from '../../fakes/service-error.ts';
import { TestClock } from '../../fakes/test-clock.ts';

let counter = 0;
/** A mail of its own, where the index says that it is to be looked at now. */
function overdue(overrides: Partial<Email> = {}): Email {
  counter += 1;
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(6, counter);
  const email = anEmail({ outboxId: newOutboxId(NOW, () => bytes), ...overrides });
  const { worksetKey = '', worksetAt = '' } = placeInWorkset(email, iso(NOW));
  return { ...email, worksetKey, worksetAt };
}

function aSweeper(...mails: Email[]) {
  const clock = new TestClock();
  const emails = new MemoryEmailStore(...mails);
  const queues = new MemoryQueues(clock.now);
  const lines: string[] = [];
  const ports: SweepPorts = {
    emails,
    workset: memoryWorkset(emails),
    queue: queues,
    queued: () => Promise.resolve(queues.all().length),
    now: clock.now,
    retentionDays: 30,
    log: (message) => lines.push(message),
  };
  const sweepOnce = (overrides: Partial<SweepPorts> = {}) => sweep({ ...ports, ...overrides });
  return { sweepOnce, emails, queues, clock, lines, ports };
}

const jobs = (queues: MemoryQueues) => queues.all().map(({ body }) => JSON.parse(body) as EmailSendJobData);

describe('one sweep', () => {
  it('sends what is due into its lane', async () => {
    const email = overdue({ status: 'SCHEDULED', sendAt: iso(NOW), lane: 'bulk:2' });
    const { sweepOnce, emails, queues } = aSweeper(email);
    expect(await sweepOnce()).toEqual({ due: 1, watch: 0 });
    expect(emails.one(email.outboxId)).toMatchObject({ status: 'PENDING', seq: 1 });
    expect(queues.all()).toMatchObject([{ queue: 'bulk', group: laneGroup(COMPANY_ID, 'bulk:2') }]);
  });

  it('gives a lost mail a new message, with a newer seq', async () => {
    const never = overdue();
    const tried = overdue({ status: 'RETRY_SCHEDULED', attempts: 2, seq: 4 });
    const { sweepOnce, emails, queues } = aSweeper(never, tried);
    expect(await sweepOnce()).toEqual({ due: 0, watch: 2 });
    const sent = new Map(queues.all().map(({ group }, i) => [jobs(queues)[i]?.outboxId, group]));
    expect(sent.get(never.outboxId)).toBe(laneGroup(COMPANY_ID, 'normal'));
    expect(sent.get(tried.outboxId)).toBe(asideGroup(COMPANY_ID, tried.outboxId));
    expect(emails.one(tried.outboxId)).toMatchObject({ seq: 5, status: 'RETRY_SCHEDULED', looks: 1 });
    expect(
      jobs(queues)
        .map(({ seq }) => seq)
        .sort(),
    ).toEqual([2, 5]);
  });

  it('ends what is over, and sends nothing for it', async () => {
    const email = overdue({ expiresAt: iso(NOW) });
    const { sweepOnce, emails, queues } = aSweeper(email);
    await sweepOnce();
    expect(emails.one(email.outboxId).status).toBe('EXPIRED');
    expect(queues.all()).toEqual([]);
  });

  it('never writes FAILED, and leaves what is not overdue alone', async () => {
    const ahead = { ...overdue(), worksetAt: iso(NOW + 1) };
    const dead = overdue({ status: 'FAILED', failedAt: iso(NOW) });
    const { sweepOnce, emails } = aSweeper(ahead, dead);
    expect(await sweepOnce()).toEqual({ due: 0, watch: 0 });
    expect(emails.written).toEqual([]);
  });
});

describe('touch first, then send', () => {
  it('a sweeper that dies in between loses nothing: the next look finds it', async () => {
    const email = overdue();
    const { sweepOnce, emails, queues, clock } = aSweeper(email);
    await sweepOnce({
      queue: {
        send: (entries) => (entries.length > 0 ? Promise.reject(new Error('killed')) : queues.send([])),
      },
    }).catch(() => undefined);
    expect(emails.one(email.outboxId)).toMatchObject({ seq: 2, worksetAt: iso(NOW + 20 * MINUTE) });
    await sweepOnce();
    expect(queues.all()).toEqual([]);
    clock.advance(20 * MINUTE);
    await sweepOnce();
    expect(jobs(queues)).toMatchObject([{ outboxId: email.outboxId, seq: 3 }]);
  });

  it('a message that SQS does not take is told, and sent by the next look', async () => {
    const { sweepOnce, lines } = aSweeper(overdue());
    expect(
      await sweepOnce({
        queue: { send: (entries) => Promise.resolve(new Map(entries.map((_, i) => [i, 'no']))) },
      }),
    ).toMatchObject({
      watch: 1,
    });
    expect(lines).toEqual(['mail not enqueued; the next look will']);
  });

  it('two sweepers at once send one message', async () => {
    const { sweepOnce, queues } = aSweeper(overdue(), overdue());
    await Promise.all([sweepOnce(), sweepOnce()]);
    expect(queues.all()).toHaveLength(2);
  });

  it('a sender that was faster wins', async () => {
    const email = overdue();
    const { sweepOnce, emails, queues, ports } = aSweeper(email);
    const claimed: Email = { ...email, rev: 2, status: 'SENT_ATTEMPT', leaseUntil: iso(NOW + MINUTE) };
    const get = async (outboxId: string) => {
      const read = await emails.get(outboxId);
      await emails.save(claimed);
      return read;
    };
    await sweepOnce({ emails: { ...ports.emails, get, save: (mail) => emails.save(mail) } });
    expect(emails.one(email.outboxId)).toEqual(claimed);
    expect(queues.all()).toEqual([]);
  });
});

it('one mail that fails does not stop the others', async () => {
  const mails = Array.from({ length: 30 }, () => overdue());
  const { sweepOnce, emails, queues, lines } = aSweeper(...mails);
  const poison = mails[7]?.outboxId;
  const get = (id: string) => (id === poison ? Promise.reject(serviceError('Throttled')) : emails.get(id));
  const report = await sweepOnce({
    emails: { get, insert: () => Promise.reject(new Error()), save: (mail) => emails.save(mail) },
  });
  expect(report.watch).toBe(29);
  expect(queues.all()).toHaveLength(29);
  expect(lines).toEqual(['mail not swept']);
});

describe('the budget', () => {
  it('ends a sweep of each kind after its own 20 seconds, and the next goes on', async () => {
    const due = Array.from({ length: 400 }, () => overdue({ status: 'SCHEDULED', sendAt: iso(NOW) }));
    const watch = Array.from({ length: 400 }, () => overdue());
    const { sweepOnce, emails, clock, queues } = aSweeper(...due, ...watch);
    const slow = {
      ...{ insert: () => Promise.reject(new Error()), get: (id: string) => emails.get(id) },
      save: (email: Email) => {
        clock.advance(200);
        return emails.save(email);
      },
    };
    const first = await sweepOnce({ emails: slow });
    for (const touched of [first.due, first.watch]) {
      expect(touched).toBeGreaterThanOrEqual(100);
      // Ten a shard are under way when the time is up.
      expect(touched).toBeLessThanOrEqual(100 + 8 * 10);
    }
    for (let more = 0; more < 5; more += 1) await sweepOnce({ emails: slow });
    expect(queues.all()).toHaveLength(800);
  });
});

describe('a long queue', () => {
  const BACKLOG = 5_000;
  const fill = (queues: MemoryQueues, mails: readonly Email[]) => {
    for (const email of mails)
      queues.put(
        queueOf(email.lane),
        laneGroup(COMPANY_ID, email.lane),
        JSON.stringify(jobFromEmail(email, NOW)),
      );
  };

  it('of 5,000 waiting mails with their 5,000 messages gets no more by ten sweeps', async () => {
    const mails = Array.from({ length: BACKLOG }, () => overdue({ lane: 'bulk:0' }));
    const { sweepOnce, queues, clock, emails } = aSweeper(...mails);
    fill(queues, mails);
    for (let minute = 0; minute < 10; minute += 1) {
      await sweepOnce();
      clock.advance(MINUTE);
    }
    expect(queues.all()).toHaveLength(BACKLOG);
    expect(emails.all().every(({ seq, looks }) => seq === 1 && looks === 1)).toBe(true);
  });

  it('that was emptied is rebuilt, once', async () => {
    const mails = Array.from({ length: 500 }, () => overdue({ lane: 'bulk:0' }));
    const { sweepOnce, queues, clock } = aSweeper(...mails);
    for (let minute = 0; minute < 10; minute += 1) {
      await sweepOnce();
      clock.advance(MINUTE);
    }
    expect(queues.all()).toHaveLength(mails.length);
    expect(new Set(jobs(queues).map(({ outboxId }) => outboxId)).size).toBe(mails.length);
  });

  it('explains as many mails as it has messages, no more', async () => {
    const mails = Array.from({ length: 100 }, () => overdue());
    const { sweepOnce, queues } = aSweeper(...mails);
    fill(queues, mails.slice(0, 60));
    await sweepOnce();
    expect(queues.all()).toHaveLength(60 + 40);
  });

  it('does not explain a lost mail by the messages of mails whose time is still ahead', async () => {
    const ahead = Array.from({ length: 50 }, () => ({ ...overdue(), worksetAt: iso(NOW + 5 * MINUTE) }));
    const lost = Array.from({ length: 50 }, () => overdue());
    const { sweepOnce, queues } = aSweeper(...ahead, ...lost);
    fill(queues, ahead);
    await sweepOnce();
    expect(queues.all()).toHaveLength(100);
  });

  it('explains a mail for as long as its message is there', async () => {
    const email = overdue();
    const { sweepOnce, queues, clock } = aSweeper(email);
    fill(queues, [email]);
    for (let minute = 0; minute < 6 * 60; minute += 1) {
      await sweepOnce();
      clock.advance(MINUTE);
    }
    expect(queues.all()).toHaveLength(1);
  });
});
