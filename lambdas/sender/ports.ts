import type { BackoffCurve } from '../../shared/domain/backoff.ts';
import type { Company } from '../../shared/domain/company.ts';
import type { Email } from '../../shared/domain/email.ts';
import type { TenantFairnessMetrics } from '../../shared/domain/fairness.ts';
import type { BodyStore } from '../../shared/ports/body-store.ts';
import type { EmailStore } from '../../shared/ports/email-store.ts';
import type { HeldMessages, MailQueue } from '../../shared/ports/mail-queue.ts';
import type { Mailer } from '../../shared/ports/mailer.ts';
import type { EvidenceReader } from '../../shared/ports/sending-evidence.ts';
import type { TenantStore } from '../../shared/ports/tenant-store.ts';

export interface SenderPorts {
  readonly emails: EmailStore;
  readonly evidence: EvidenceReader;
  readonly tenants: Pick<TenantStore, 'putRecipient'>;
  readonly company: (companyId: string) => Promise<Company | undefined>;
  readonly queue: MailQueue;
  readonly held: HeldMessages;
  readonly bodies: BodyStore;
  readonly mailer: Mailer;
  readonly testMailer: Mailer;
  /** Tells which companies a batch serves, one entry a mail. */
  readonly served: (companyIds: readonly string[]) => readonly TenantFairnessMetrics[];
  readonly pace: (recipients: number) => Promise<void>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
  readonly remainingMs: () => number;
  readonly log: SenderLog;
  readonly settings: {
    readonly defaultFrom: string;
    readonly backoffCurve: BackoffCurve;
    readonly retentionDays: number;
  };
}

export interface SenderLog {
  /** A mail came to a new state. */
  state(email: Email, more?: Record<string, unknown>): void;
  note(message: string, more: Record<string, unknown>): void;
  error(message: string, more: Record<string, unknown>): void;
}

/** What becomes of a message: taken off the queue, or reported to SQS as not done. */
export type MessageEnd = 'done' | 'keep';
