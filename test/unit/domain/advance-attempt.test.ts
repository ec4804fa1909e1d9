import { describe, expect, it } from 'vitest';
import { advance, type Command } from '../../../shared/domain/advance.ts';
import type { Email } from '../../../shared/domain/email.ts';
import { aCommand, aFailure } from '../../factories/a-command.ts';
import { aClaimedEmail, anEmail } from '../../factories/an-email.ts';
import { iso, MINUTE, NOW, SECOND } from '../../factories/moments.ts';

function after(email: Email, command: Command): Email {
  const advanced = advance(email, command, NOW);
  if (!advanced.ok) throw new Error(`${advanced.from} has no ${advanced.command}`);
  return advanced.email;
}

const types = (email: Email) => email.events.map((event) => event.type);

describe('the claim', () => {
  it('counts the attempt, takes the lease and leaves its evidence in one write', () => {
    const claimed = after(anEmail(), aCommand('CLAIM'));
    expect(claimed).toMatchObject({
      rev: 2,
      attempts: 1,
      claimedAt: iso(NOW),
      leaseUntil: iso(NOW + 70 * SECOND),
    });
    expect(claimed.events).toEqual([
      { type: 'RECEIVED', at: iso(NOW), attempt: 1 },
      { type: 'VALIDATED', at: iso(NOW), attempt: 1 },
      { type: 'SENT_ATTEMPT', at: iso(NOW), attempt: 1 },
    ]);
  });

  it('ends the wait for the next attempt', () => {
    const waiting = anEmail({ status: 'RETRY_SCHEDULED', attempts: 2, nextAttemptAt: iso(NOW - SECOND) });
    const claimed = after(waiting, aCommand('CLAIM'));
    expect(claimed).not.toHaveProperty('nextAttemptAt');
    expect(claimed.events.at(-1)).toEqual({ type: 'SENT_ATTEMPT', at: iso(NOW), attempt: 3 });
  });

  it('names every suppressed copy that is left out', () => {
    const droppedCopies = ['a@example.com', 'b@example.com'];
    const claimed = after(anEmail(), aCommand('CLAIM', { droppedCopies }));
    expect(claimed.events.filter((event) => event.type === 'RECIPIENT_DROPPED')).toEqual(
      droppedCopies.map((address) => ({
        type: 'RECIPIENT_DROPPED',
        at: iso(NOW),
        attempt: 1,
        meta: { address, code: 'RECIPIENT_SUPPRESSED' },
      })),
    );
  });

  it('after a crash says that the last attempt is in doubt and that this one sends again', () => {
    const claimed = after(aClaimedEmail(), aCommand('CLAIM'));
    expect(claimed.attempts).toBe(2);
    expect(claimed.events[0]).toMatchObject({ type: 'IN_DOUBT', attempt: 1 });
    expect(claimed.events.at(-1)).toMatchObject({ type: 'SENT_ATTEMPT', attempt: 2, meta: { resend: true } });
  });

  it('after stepping aside says that it sends again, and doubts no more', () => {
    const aside = anEmail({ status: 'RETRY_SCHEDULED', attempts: 1, inDoubt: true });
    const claimed = after(aside, aCommand('CLAIM'));
    expect(types(claimed)).toEqual(['RECEIVED', 'VALIDATED', 'SENT_ATTEMPT']);
    expect(claimed.events.at(-1)?.meta).toEqual({ resend: true });
    expect(claimed).not.toHaveProperty('inDoubt');
  });
});

it('a recorded send keeps the message id, the duration and no trace of an earlier error', () => {
  const email = aClaimedEmail({ attempts: 2, errorCode: 'SES_THROTTLING', errorReason: 'slow down' });
  const sent = after(email, aCommand('RECORD_SENT', { sesMessageId: 'ses-9', durationMs: 1200 }));
  expect(sent).toMatchObject({ sesMessageIds: ['ses-9'], durationMs: 1200, sentAt: iso(NOW) });
  expect(sent.events).toEqual([
    { type: 'SENT', at: iso(NOW), attempt: 2, meta: { sesMessageId: 'ses-9', durationMs: 1200 } },
  ]);
  for (const gone of ['errorCode', 'errorReason', 'leaseUntil', 'claimedAt'])
    expect(sent).not.toHaveProperty(gone);
});

describe('a retry', () => {
  it('says when, which attempt is next, and why', () => {
    const retry = after(
      aClaimedEmail({ attempts: 2 }),
      aCommand('SCHEDULE_RETRY', { backoffMs: 5 * SECOND }),
    );
    expect(retry).toMatchObject({
      attempts: 2,
      seq: 1,
      holds: 0,
      nextAttemptAt: iso(NOW + 5 * SECOND),
      errorCode: 'SES_SERVICE_UNAVAILABLE',
      errorReason: 'ServiceUnavailable: try later',
    });
    expect(retry.events).toEqual([
      {
        type: 'RETRY_SCHEDULED',
        at: iso(NOW),
        attempt: 2,
        meta: {
          errorCode: 'SES_SERVICE_UNAVAILABLE',
          errorCategory: 'TRANSIENT_ERROR',
          errorMessage: 'ServiceUnavailable: try later',
          originalCode: 'ServiceUnavailable',
          willRetry: true,
          nextAttemptNumber: 3,
          backoffDelay: 5 * SECOND,
        },
      },
    ]);
    expect(retry).not.toHaveProperty('leaseUntil');
  });

  it('that does not count gives the attempt back and counts a hold', () => {
    const retry = after(
      aClaimedEmail({ attempts: 2, holds: 1 }),
      aCommand('SCHEDULE_RETRY', { counted: false, backoffMs: 30 * MINUTE }),
    );
    expect(retry).toMatchObject({ attempts: 1, holds: 2 });
    expect(retry.events.at(-1)?.meta).toMatchObject({ nextAttemptNumber: 2, counted: false });
  });

  it('that counts ends a row of holds', () => {
    expect(after(aClaimedEmail({ holds: 3 }), aCommand('SCHEDULE_RETRY')).holds).toBe(0);
  });

  it('that steps aside is in doubt and gets a message of its own', () => {
    const aside = after(aClaimedEmail({ seq: 4 }), aCommand('STEP_ASIDE', { backoffMs: 120 * SECOND }));
    expect(aside).toMatchObject({
      inDoubt: true,
      seq: 5,
      attempts: 1,
      nextAttemptAt: iso(NOW + 120 * SECOND),
    });
    expect(types(aside)).toEqual(['IN_DOUBT', 'RETRY_SCHEDULED']);
  });
});

it('a hold before any attempt counts no attempt and says until when', () => {
  const held = after(anEmail({ holds: 1 }), aCommand('HOLD', { backoffMs: 30 * MINUTE }));
  expect(held).toMatchObject({
    status: 'PENDING',
    attempts: 0,
    holds: 2,
    seq: 1,
    errorCode: 'COMPANY_SUSPENDED',
    nextAttemptAt: iso(NOW + 30 * MINUTE),
  });
  expect(held.events).toEqual([
    {
      type: 'HELD',
      at: iso(NOW),
      meta: { errorCode: 'COMPANY_SUSPENDED', errorMessage: 'suspended', backoffDelay: 30 * MINUTE },
    },
  ]);
});

describe('a failure', () => {
  it('remembers the message it was found in, and will not be retried', () => {
    const failed = after(aClaimedEmail(), aCommand('FAIL', { message: { seq: 3, messageId: 'message-3' } }));
    expect(failed).toMatchObject({
      failedAt: iso(NOW),
      deadSeq: 3,
      deadMessageId: 'message-3',
      errorCode: 'SES_MESSAGE_REJECTED',
    });
    expect(types(failed)).toEqual(['FAILED']);
    expect(failed.events[0]?.meta).toMatchObject({
      errorCategory: 'PERMANENT_ERROR',
      originalCode: 'ServiceUnavailable',
      willRetry: false,
    });
    expect(failed).not.toHaveProperty('leaseUntil');
  });

  it('of a validation stands on the timeline as such', () => {
    const failure = aFailure({ code: 'INVALID_TEMPLATE', category: 'VALIDATION_ERROR' });
    const failed = after(anEmail(), aCommand('FAIL', { failure }));
    expect(types(failed)).toEqual(['VALIDATION_FAILED', 'FAILED']);
    expect(failed.events[0]?.meta).toMatchObject({ errorCode: 'INVALID_TEMPLATE' });
  });
});
