import { z } from 'zod';
import { isEmailAddress } from './email-address.ts';
import { EMAIL_JOB_CONFIG, EMAIL_LIMITS } from './job-config.ts';

/** The version this code writes. A sender that meets a newer one holds the message; it never fails the mail. */
export const JOB_VERSION = 1;

const address = z
  .string()
  .max(EMAIL_LIMITS.ADDRESS_LENGTH)
  .refine(isEmailAddress, 'must be an e-mail address');

const recipientSchema = z.object({
  recipientId: z.uuid().optional(),
  externalId: z.string().min(1).max(128).optional(),
  cpfCnpjHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hex characters')
    .optional(),
  razaoSocial: z.string().max(150).optional(),
  nome: z.string().max(120).optional(),
  email: address,
});

/** Fields that are not listed are dropped, so that a newer relay may add some before the sender knows them. */
export const emailSendJobDataSchema = z.object({
  v: z.literal(JOB_VERSION),
  seq: z.int().min(1),
  outboxId: z.uuid(),
  companyId: z.uuid(),
  requestId: z.string().min(1).max(128),
  to: address,
  cc: z.array(address).max(EMAIL_LIMITS.COPIES).optional(),
  bcc: z.array(address).max(EMAIL_LIMITS.COPIES).optional(),
  subject: z
    .string()
    .min(1)
    .max(EMAIL_LIMITS.SUBJECT_LENGTH)
    .regex(/^[^\r\n]*$/, 'must be one line'),
  htmlRef: z.string().min(1),
  replyTo: address.optional(),
  headers: z.record(z.string(), z.string()).optional(),
  tags: z.array(z.string()).max(EMAIL_LIMITS.TAGS).optional(),
  recipient: recipientSchema,
  /** Where the recipient stands, or will stand, in the tenant table; `recipientId` is set only if it must exist. */
  recipientRef: z.uuid(),
  attempt: z.int().min(1).max(EMAIL_JOB_CONFIG.MAX_ATTEMPTS),
  enqueuedAt: z.iso.datetime({ offset: true }),
});

export type EmailSendJobData = z.infer<typeof emailSendJobDataSchema>;
export type JobRecipient = z.infer<typeof recipientSchema>;

/** The options of the contract. On SQS: the deduplication id, expiresAt, the lane, sendAt; the last two are SQS's own. */
export const emailSendJobOptionsSchema = z.object({
  jobId: z.uuid(),
  ttl: z.int().positive().default(EMAIL_JOB_CONFIG.DEFAULT_TTL),
  priority: z.int().min(1).max(10).default(EMAIL_JOB_CONFIG.DEFAULT_PRIORITY),
  delay: z.int().min(0).optional(),
  removeOnComplete: z.boolean().default(true),
  removeOnFail: z.boolean().default(false),
});

export type EmailSendJobOptions = z.infer<typeof emailSendJobOptionsSchema>;

export interface EmailSendJobResult {
  readonly sesMessageId: string;
  readonly status: 'SENT';
  readonly processedAt: string;
  readonly durationMs: number;
  readonly attempt: number;
}

/** The schema and the two rules that span fields. Throws an error that names everything that is wrong. */
export function validateEmailJobData(data: unknown): EmailSendJobData {
  const checked = checkEmailJobData(data);
  if (!checked.ok) throw new Error(checked.reason);
  return checked.job;
}

export type CheckedJob = { ok: true; job: EmailSendJobData } | { ok: false; reason: string };

export function checkEmailJobData(data: unknown): CheckedJob {
  const parsed = emailSendJobDataSchema.safeParse(data);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'job'}: ${issue.message}`);
    return { ok: false, reason: faults.join('; ') };
  }
  const job = parsed.data;
  const { recipientId, externalId, cpfCnpjHash, email } = job.recipient;
  if (email !== job.to) return { ok: false, reason: 'recipient.email must match to' };
  if (!recipientId && !externalId && !cpfCnpjHash) {
    return { ok: false, reason: 'At least one recipient identifier required' };
  }
  return { ok: true, job };
}
