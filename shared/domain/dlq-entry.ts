import { z } from 'zod';
import type { Email } from './email.ts';
import { jobFromEmail } from './job-from-email.ts';
import { EMAIL_JOB_RETRY_CONFIG } from './job-config.ts';

/** What the dead-letter queue says about a mail. There is never one without a reason. */
export const dlqEntrySchema = z.object({
  jobId: z.uuid(),
  outboxId: z.uuid(),
  companyId: z.uuid(),
  /** The message, as the sender got it. */
  originalData: z.record(z.string(), z.unknown()),
  /** At least 1: a mail that fails validation has failed one attempt. */
  failedAttempts: z.int().min(1),
  lastFailureReason: z.string().trim().min(1, 'lastFailureReason is mandatory'),
  lastFailureCode: z.string().min(1).optional(),
  lastFailureTimestamp: z.iso.datetime(),
  enqueuedAt: z.iso.datetime(),
  movedToDLQAt: z.iso.datetime(),
  /** Milliseconds that it stays: 7 days. */
  ttl: z.literal(EMAIL_JOB_RETRY_CONFIG.DLQ_TTL_MS),
});

export type DLQEntry = z.infer<typeof dlqEntrySchema>;

/** Throws an error that names everything that is wrong. */
export function validateDLQEntry(data: unknown): DLQEntry {
  const parsed = dlqEntrySchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'entry'}: ${issue.message}`);
  throw new Error(faults.join('; '));
}

/** Undefined if the mail is not dead. SQS moves the message within seconds after the mail became FAILED. */
export function dlqEntryOf(email: Email): DLQEntry | undefined {
  const { failedAt, deadSeq } = email;
  if (email.status !== 'FAILED' || failedAt === undefined || deadSeq === undefined) return undefined;
  const enqueuedAt = email.deadEnqueuedAt ?? email.sendAt ?? email.createdAt;
  return validateDLQEntry({
    jobId: email.outboxId,
    outboxId: email.outboxId,
    companyId: email.companyId,
    originalData: jobFromEmail({ ...email, seq: deadSeq }, Date.parse(enqueuedAt)),
    failedAttempts: Math.max(1, email.attempts),
    lastFailureReason: email.errorReason,
    lastFailureCode: email.errorCode,
    lastFailureTimestamp: failedAt,
    enqueuedAt,
    movedToDLQAt: failedAt,
    ttl: EMAIL_JOB_RETRY_CONFIG.DLQ_TTL_MS,
  });
}
