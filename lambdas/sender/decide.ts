import type { Company } from '../../shared/domain/company.ts';
import type { Email } from '../../shared/domain/email.ts';
import type { EmailSendJobData } from '../../shared/domain/email-job.ts';
import { isLive } from '../../shared/domain/email-state.ts';
import type { ErrorCategory, ErrorCode } from '../../shared/domain/failures.ts';
import { EMAIL_JOB_CONFIG } from '../../shared/domain/job-config.ts';
import type { Validated } from '../../shared/domain/validations.ts';
import type { ReceivedMessage } from '../../shared/ports/mail-queue.ts';

/** SES's own word on a mail in doubt has this long to arrive before the mail may be tried again. */
export const GRACE_MS = 120_000;

export interface Verdict {
  readonly code: ErrorCode;
  readonly category: ErrorCategory;
  readonly reason: string;
}

export type Decision =
  | { readonly do: 'drop'; readonly why: string }
  /** Already FAILED by this very message: SQS itself moves it to the DLQ. */
  | { readonly do: 'passThrough' }
  | { readonly do: 'wait'; readonly until: number; readonly why: string }
  | { readonly do: 'holdCompany' }
  | { readonly do: 'expire' }
  | { readonly do: 'redrive' }
  | { readonly do: 'fail'; readonly verdict: Verdict }
  | { readonly do: 'attempt'; readonly droppedCopies: readonly string[] };

export interface Facts {
  readonly email: Email;
  readonly job: Pick<EmailSendJobData, 'seq' | 'enqueuedAt'>;
  readonly message: Pick<ReceivedMessage, 'messageId' | 'sentAt'>;
  readonly company: Pick<Company, 'suspended'>;
  readonly validated: Validated;
}

/** What this message means for this mail, now. */
export function decide({ email, job, message, company, validated }: Facts, now: number): Decision {
  if (email.status === 'FAILED') return decideDead(email, job, message, now);
  if (!isLive(email.status)) return { do: 'drop', why: `the mail is ${email.status}` };
  if (job.seq < email.seq) return { do: 'drop', why: 'a newer copy of this message is on its way' };

  const inDoubt = email.status === 'SENT_ATTEMPT';
  if (inDoubt && time(email.leaseUntil) > now)
    return { do: 'wait', until: time(email.leaseUntil), why: 'another sender has the mail' };
  if (inDoubt && time(email.claimedAt) + GRACE_MS > now) {
    return {
      do: 'wait',
      until: time(email.claimedAt) + GRACE_MS,
      why: 'an attempt ended without a record; SES may have the mail',
    };
  }
  if (time(email.nextAttemptAt) > now)
    return { do: 'wait', until: time(email.nextAttemptAt), why: 'the next attempt is not due' };
  if (time(email.expiresAt) <= now) return { do: 'expire' };
  if (company.suspended) return { do: 'holdCompany' };
  if ((inDoubt || email.inDoubt) && email.onInDoubt === 'fail') {
    return fail(
      'SES_TIMEOUT',
      'TIMEOUT_ERROR',
      'SES may or may not have the mail, and the caller asked not to send it again',
    );
  }
  if (email.attempts >= EMAIL_JOB_CONFIG.MAX_ATTEMPTS) {
    return fail('NETWORK_ERROR', 'TIMEOUT_ERROR', `attempt ${email.attempts} ended without a record`);
  }
  if (!validated.ok) return fail(validated.code, 'VALIDATION_ERROR', validated.reason);
  return { do: 'attempt', droppedCopies: validated.droppedCopies };
}

/**
 * The same message again goes through to the DLQ. The same words in another message, sent later, are an operator's
 * redrive; other words with the same seq are a replay of the stream.
 */
function decideDead(email: Email, job: Facts['job'], message: Facts['message'], now: number): Decision {
  const sameWords = job.seq === email.deadSeq && job.enqueuedAt === (email.deadEnqueuedAt ?? job.enqueuedAt);
  if (!sameWords) return { do: 'drop', why: 'the mail is FAILED' };
  if (message.messageId === email.deadMessageId) return { do: 'passThrough' };
  if (message.sentAt <= time(email.failedAt)) return { do: 'drop', why: 'the mail is FAILED' };
  const late = email.ttlSeconds !== undefined && time(email.expiresAt) <= now;
  return late ? { do: 'expire' } : { do: 'redrive' };
}

function fail(code: ErrorCode, category: ErrorCategory, reason: string): Decision {
  return { do: 'fail', verdict: { code, category, reason } };
}

function time(iso: string | undefined): number {
  return iso === undefined ? 0 : Date.parse(iso);
}
