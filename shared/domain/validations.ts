import type { MailBody } from './body.ts';
import type { Recipient } from './company.ts';
import type { Email } from './email.ts';
import { isEmailAddress, normaliseAddress } from './email-address.ts';
import type { EmailSendJobData } from './email-job.ts';
import type { ErrorCode } from './failures.ts';
import { EMAIL_LIMITS } from './job-config.ts';
import { templateFaults, TEMPLATE_RULES_VERSION } from './template-safety.ts';

/** INTEGRITY, the first of the four validations, is `checkEmailJobData`: it needs nothing but the message. */
export type Validation = 'INTEGRITY' | 'OUTBOX' | 'RECIPIENT' | 'TEMPLATE';

export interface Evidence {
  readonly email: Email | undefined;
  readonly recipient: Recipient | undefined;
  /** Normalised addresses that must not be written to. */
  readonly suppressed: ReadonlySet<string>;
  /** Undefined: there is none. `intact` says that the stored bytes still have the hash in `htmlRef`. */
  readonly body: { readonly content: MailBody; readonly intact: boolean } | undefined;
}

export type Validated =
  | { readonly ok: true; readonly droppedCopies: readonly string[] }
  | {
      readonly ok: false;
      readonly validation: Validation;
      readonly code: ErrorCode;
      readonly reason: string;
    };

export function validateForSending(job: EmailSendJobData, evidence: Evidence): Validated {
  return (
    validateOutbox(job, evidence) ??
    validateRecipient(job, evidence) ??
    validateTemplate(job, evidence) ??
    pass(job, evidence)
  );
}

function pass(job: EmailSendJobData, { suppressed }: Evidence): Validated {
  const copies = [...(job.cc ?? []), ...(job.bcc ?? [])];
  return { ok: true, droppedCopies: copies.filter((copy) => suppressed.has(normaliseAddress(copy))) };
}

function validateOutbox(job: EmailSendJobData, { email }: Evidence): Validated | undefined {
  if (!email) return fault('OUTBOX', 'OUTBOX_NOT_FOUND', 'there is no outbox item with this outboxId');
  if (email.companyId !== job.companyId)
    return fault('OUTBOX', 'OUTBOX_NOT_FOUND', 'the outbox item belongs to another company');
  return undefined;
}

function validateRecipient(
  job: EmailSendJobData,
  { recipient, suppressed }: Evidence,
): Validated | undefined {
  const mustExist = job.recipient.recipientId !== undefined;
  const missing = (reason: string) => fault('RECIPIENT', 'RECIPIENT_NOT_FOUND', reason);
  if (!isEmailAddress(job.to)) return fault('RECIPIENT', 'INVALID_EMAIL', 'to is not an e-mail address');
  if (mustExist && !recipient) return missing('there is no recipient with this recipientId');
  if (recipient && recipient.companyId !== job.companyId)
    return missing('the recipient belongs to another company');
  if (recipient?.deletedAt !== undefined) return missing('the recipient was deleted');
  if (mustExist && recipient && normaliseAddress(recipient.email) !== normaliseAddress(job.to)) {
    return missing('the recipient has another e-mail address');
  }
  if (suppressed.has(normaliseAddress(job.to))) {
    return fault('RECIPIENT', 'RECIPIENT_SUPPRESSED', 'the address is on the suppression list');
  }
  return undefined;
}

function validateTemplate(job: EmailSendJobData, { email, body }: Evidence): Validated | undefined {
  const invalid = (reason: string) => fault('TEMPLATE', 'INVALID_TEMPLATE', reason);
  if (!body) return invalid('the HTML is not there');
  // Characters, not UTF-16 units: as the api counts them.
  if ([...job.subject].length > EMAIL_LIMITS.SUBJECT_LENGTH)
    return invalid(`the subject is longer than ${EMAIL_LIMITS.SUBJECT_LENGTH}`);
  // The api parsed this very body under these very rules: nothing can have changed.
  if (body.intact && email?.templateRules === TEMPLATE_RULES_VERSION) return undefined;
  const faults = templateFaults(body.content.html);
  return faults.length > 0 ? invalid(`the HTML ${faults.join(', ')}`) : undefined;
}

function fault(validation: Validation, code: ErrorCode, reason: string): Validated {
  return { ok: false, validation, code, reason };
}
