import { describe, expect, it } from 'vitest';
import { cancelEmail } from '../../../lambdas/api/cancel-email.ts';
import { advance } from '../../../shared/domain/advance.ts';
import type { Email } from '../../../shared/domain/email.ts';
import { EMAIL_STATUSES } from '../../../shared/domain/email-state.ts';
import { aCommand } from '../../factories/a-command.ts';
import { aClaimedEmail, anEmail } from '../../factories/an-email.ts';
import { iso, NOW, SECOND } from '../../factories/moments.ts';
import { MemoryEmailStore } from '../../fakes/memory-email-store.ts';

function cancel(read: Email, emails = new MemoryEmailStore(read)) {
  return cancelEmail(read, { emails, now: () => NOW, retentionDays: 30 });
}

it.each(['SCHEDULED', 'PENDING', 'RETRY_SCHEDULED'] as const)(
  'a mail that is %s is taken back',
  async (status) => {
    const emails = new MemoryEmailStore(anEmail({ status, sendAt: iso(NOW) }));
    const result = await cancel(anEmail({ status, sendAt: iso(NOW) }), emails);
    expect(result).toMatchObject({ outcome: 'canceled', email: { status: 'CANCELED' } });
    expect(emails.all()[0]?.status).toBe('CANCELED');
  },
);

it('canceling twice is canceling once', async () => {
  const emails = new MemoryEmailStore(anEmail({ status: 'CANCELED', rev: 2 }));
  const result = await cancel(anEmail({ status: 'CANCELED', rev: 2 }), emails);
  expect(result.outcome).toBe('canceled');
  expect(emails.written).toEqual([]);
});

const tooLate = EMAIL_STATUSES.filter(
  (status) => !['SCHEDULED', 'PENDING', 'RETRY_SCHEDULED', 'CANCELED'].includes(status),
);

it.each(tooLate)('it is too late for a mail that is %s', async (status) => {
  const email = anEmail({ status });
  const result = await cancel(email);
  expect(result).toMatchObject({ outcome: 'tooLate', email: { status } });
  if (result.outcome === 'tooLate')
    expect(result.why).toMatch(status === 'SENT_ATTEMPT' ? /being sent at this moment/ : `It is ${status}.`);
});

describe('a mail that SES may have', () => {
  const aside = anEmail({
    status: 'RETRY_SCHEDULED',
    attempts: 1,
    inDoubt: true,
    events: [{ type: 'IN_DOUBT', at: iso(NOW - SECOND), attempt: 1 }],
  });

  it('is not canceled while it waits for the word of SES', async () => {
    expect(await cancel(aside)).toMatchObject({
      outcome: 'tooLate',
      why: expect.stringContaining('in doubt'),
    });
  });

  it.each(['SCHEDULE_RETRY', 'FAIL'] as const)(
    'is not canceled after a later attempt either (%s, redriven if need be)',
    async (command) => {
      let email: Email = aside;
      const commands = [
        aCommand('CLAIM'),
        aCommand(command),
        ...(command === 'FAIL' ? [aCommand('REDRIVE')] : []),
      ];
      for (const each of commands) {
        const next = advance(email, each, NOW);
        if (!next.ok) throw new Error(`${next.from} ${next.command}`);
        email = next.email;
      }
      expect(email.inDoubt).toBeUndefined();
      expect(await cancel(email)).toMatchObject({ outcome: 'tooLate' });
    },
  );
});

describe('when somebody else was faster', () => {
  it('a claimed mail is not canceled', async () => {
    expect(await cancel(anEmail(), new MemoryEmailStore(aClaimedEmail()))).toMatchObject({
      outcome: 'tooLate',
      email: { status: 'SENT_ATTEMPT' },
    });
  });

  it('a mail that only moved on is', async () => {
    const emails = new MemoryEmailStore(anEmail({ rev: 5, seq: 2 }));
    expect(await cancel(anEmail(), emails)).toMatchObject({ outcome: 'canceled', email: { rev: 6, seq: 2 } });
  });

  it('a purged mail is unknown', async () => {
    expect(await cancel(anEmail(), new MemoryEmailStore())).toEqual({ outcome: 'unknown' });
  });
});
