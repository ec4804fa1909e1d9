import type { Email } from './email.ts';
import { JOB_VERSION, validateEmailJobData, type EmailSendJobData } from './email-job.ts';
import { EMAIL_JOB_CONFIG } from './job-config.ts';

/** The message for the newest enqueue of this mail. Throws if the item cannot make a valid job. */
export function jobFromEmail(email: Email, now: number): EmailSendJobData {
  return validateEmailJobData({
    v: JOB_VERSION,
    seq: email.seq,
    outboxId: email.outboxId,
    companyId: email.companyId,
    requestId: email.requestId,
    to: email.to,
    cc: email.cc,
    bcc: email.bcc,
    subject: email.subject,
    htmlRef: email.htmlRef,
    replyTo: email.replyTo,
    headers: email.headers,
    tags: email.tags,
    recipient: email.recipient,
    recipientRef: email.recipientRef,
    attempt: Math.min(email.attempts + 1, EMAIL_JOB_CONFIG.MAX_ATTEMPTS),
    enqueuedAt: new Date(now).toISOString(),
  });
}
