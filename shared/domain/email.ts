import type { EmailStatus, EventType } from './email-state.ts';
import type { JobRecipient } from './email-job.ts';
import type { ErrorCode } from './failures.ts';
import type { Lane } from './lanes.ts';

/** One line of a mail's timeline. */
export interface EmailEvent {
  readonly type: EventType;
  readonly at: string;
  readonly attempt?: number;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** What to do when SES may or may not have taken the mail and no word came within the grace period. */
export type OnInDoubt = 'resend' | 'fail';

/** `live` goes to SES; `test` (a test key's mail) runs the whole line and ends in a simulated mailer. */
export type Mode = 'live' | 'test';

/** Outbox row, log row and timeline in one item: a state change and its event are one atomic write. */
export interface Email {
  readonly outboxId: string;
  readonly kind: 'EMAIL';
  /** Grows with each write; every write is conditional on the one it read. */
  readonly rev: number;

  readonly companyId: string;
  readonly requestId: string;
  readonly mode: Mode;
  readonly to: string;
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  readonly subject: string;
  readonly htmlRef: string;
  /** Version of the template rules that the body passed when it was accepted. */
  readonly templateRules: number;
  readonly replyTo?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly tags?: readonly string[];
  readonly recipient: JobRecipient;
  readonly recipientRef: string;
  readonly priority: number;
  readonly lane: Lane;
  readonly onInDoubt: OnInDoubt;
  readonly fingerprint: string;
  readonly mailingId?: string;
  readonly line?: number;

  readonly status: EmailStatus;
  /** Claims of this run; a redrive starts a new run. */
  readonly attempts: number;
  readonly runs: number;
  /** The newest enqueue; a message with an older one is dropped. */
  readonly seq: number;
  /** Long uncounted holds in a row. */
  readonly holds: number;
  /** How often the sweeper had to look. */
  readonly looks: number;
  readonly inDoubt?: boolean;

  readonly createdAt: string;
  readonly sendAt?: string;
  readonly expiresAt: string;
  /** Set if the caller chose it: such a mail is never resurrected after its time. */
  readonly ttlSeconds?: number;
  readonly nextAttemptAt?: string;
  readonly claimedAt?: string;
  readonly leaseUntil?: string;

  readonly sesMessageIds: readonly string[];
  readonly errorCode?: ErrorCode;
  readonly errorReason?: string;
  readonly durationMs?: number;
  readonly sentAt?: string;
  readonly failedAt?: string;
  readonly deadSeq?: number;
  readonly deadMessageId?: string;
  /** When that message was written: a redrive brings the same words again, a replay brings new ones. */
  readonly deadEnqueuedAt?: string;
  readonly events: readonly EmailEvent[];

  /** Keys of the index `byCompany`: written once, so a state change never touches it. */
  readonly ownerKey: string;
  readonly createdKey: string;
  /** Keys of the sparse index `workset`. */
  readonly worksetKey?: string;
  readonly worksetAt?: string;
  /** Epoch seconds, once final. */
  readonly purgeAt?: number;
}
