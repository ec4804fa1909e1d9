import { describe, expect, it } from 'vitest';
import { dlqEntryOf, validateDLQEntry } from '../../../shared/domain/dlq-entry.ts';
import { checkEmailJobData } from '../../../shared/domain/email-job.ts';
import { COMPANY_ID } from '../../factories/a-company.ts';
import { aFailedEmail, anEmail, OUTBOX_ID } from '../../factories/an-email.ts';
import { DAY, HOUR, iso, MINUTE, NOW } from '../../factories/moments.ts';

describe('the entry of a dead mail', () => {
  it('says which mail, how often, why and when', () => {
    const { originalData, ...entry } = dlqEntryOf(aFailedEmail()) ?? {};
    expect(entry).toEqual({
      jobId: OUTBOX_ID,
      outboxId: OUTBOX_ID,
      companyId: COMPANY_ID,
      failedAttempts: 5,
      lastFailureReason: 'MailFromDomainNotVerifiedException: not verified',
      lastFailureCode: 'SES_MAIL_FROM_DOMAIN_NOT_VERIFIED',
      lastFailureTimestamp: iso(NOW - HOUR),
      enqueuedAt: iso(NOW - MINUTE),
      movedToDLQAt: iso(NOW - HOUR),
      ttl: 7 * DAY,
    });
    expect(checkEmailJobData(originalData).ok).toBe(true);
  });

  it('has the message that died, not a newer one', () => {
    expect(dlqEntryOf(aFailedEmail({ seq: 4, deadSeq: 3 }))?.originalData).toMatchObject({ seq: 3 });
  });

  it('counts a failed validation as one failed attempt', () => {
    expect(dlqEntryOf(aFailedEmail({ attempts: 0 }))?.failedAttempts).toBe(1);
  });

  it('of a scheduled mail was enqueued when it was due', () => {
    expect(dlqEntryOf(aFailedEmail({ sendAt: iso(NOW - 2 * HOUR) }))?.enqueuedAt).toBe(iso(NOW - 2 * HOUR));
  });

  it('does not exist for a mail that is not dead', () => {
    expect(dlqEntryOf(anEmail())).toBeUndefined();
    expect(dlqEntryOf(aFailedEmail({ status: 'SENT' }))).toBeUndefined();
  });
});

describe('an entry', () => {
  const valid = () => ({ ...dlqEntryOf(aFailedEmail()) });

  it('that is right comes back', () => {
    expect(validateDLQEntry(valid())).toEqual(valid());
  });

  it.each([
    ['no reason', { lastFailureReason: undefined }, 'lastFailureReason'],
    ['an empty reason', { lastFailureReason: '  ' }, 'lastFailureReason is mandatory'],
    ['no attempt', { failedAttempts: 0 }, 'failedAttempts'],
    ['half an attempt', { failedAttempts: 1.5 }, 'failedAttempts'],
    ['another time to live', { ttl: DAY }, 'ttl'],
    ['no id', { outboxId: 'x' }, 'outboxId'],
    ['no time', { movedToDLQAt: 'yesterday' }, 'movedToDLQAt'],
    ['no message', { originalData: undefined }, 'originalData'],
  ])('with %s is refused, by name', (_, wrong, name) => {
    expect(() => validateDLQEntry({ ...valid(), ...wrong })).toThrow(name);
  });

  it('with several faults is told all of them', () => {
    expect(() => validateDLQEntry({ ...valid(), ttl: 1, jobId: 'x' })).toThrow(/jobId.*ttl/);
    expect(() => validateDLQEntry(undefined)).toThrow('entry');
  });
});
