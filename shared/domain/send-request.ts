import { z } from 'zod';
import { faultsOf, type Fault } from './api-errors.ts';
import { normaliseCpfCnpj } from './cpf-cnpj.ts';
import { isEmailAddress } from './email-address.ts';
import { EMAIL_JOB_CONFIG, EMAIL_LIMITS } from './job-config.ts';
import { templateFaults } from './template-safety.ts';

/** Unicode's own line breaks are line breaks, too. */
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/;
/** Half a character: JSON can carry it, UTF-8 cannot. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const HEADER_NAME = /^X-[A-Za-z0-9-]+$/i;
const RESERVED_HEADER = /^X-(SES|Amz)-/i;

const address = z
  .string()
  .max(EMAIL_LIMITS.ADDRESS_LENGTH)
  .refine(isEmailAddress, 'must be an e-mail address');
const text = z.string().refine((given) => !LONE_SURROGATE.test(given), 'must be well-formed Unicode');
const line = (longest: number) =>
  text
    .min(1)
    .max(longest)
    .refine((given) => given === '' || given.trim() !== '', 'must not be blank')
    .refine((text) => !CONTROL_CHARACTERS.test(text), 'must not contain line breaks or control characters');
const withinBytes = (most: number) => (text: string) => Buffer.byteLength(text, 'utf8') <= most;

/** SES takes printable ASCII only: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_MessageHeader.html */
const headerValue = z
  .string()
  .min(1)
  .max(EMAIL_LIMITS.HEADER_VALUE_LENGTH)
  .regex(/^[ -~]*$/, 'must be printable ASCII');

const headers = z.record(z.string(), headerValue).superRefine((given, context) => {
  const names = Object.keys(given);
  if (names.length > EMAIL_LIMITS.HEADERS)
    context.addIssue({ code: 'custom', message: `must have at most ${EMAIL_LIMITS.HEADERS} entries` });
  for (const name of names) {
    if (
      !HEADER_NAME.test(name) ||
      RESERVED_HEADER.test(name) ||
      name.length > EMAIL_LIMITS.HEADER_NAME_LENGTH
    ) {
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'must be a header X-… other than X-SES-… and X-Amz-…',
      });
    }
  }
});

const sendAt = z.iso.datetime({ offset: true }).optional();

export const sendRequestSchema = z.strictObject({
  to: address,
  cc: z.array(address).max(EMAIL_LIMITS.COPIES).optional(),
  bcc: z.array(address).max(EMAIL_LIMITS.COPIES).optional(),
  subject: line(EMAIL_LIMITS.SUBJECT_LENGTH),
  html: text.superRefine((html, context) => {
    for (const message of templateFaults(html)) context.addIssue({ code: 'custom', message });
  }),
  text: text
    .refine(withinBytes(EMAIL_LIMITS.TEXT_BYTES), `must be at most ${EMAIL_LIMITS.TEXT_BYTES} bytes`)
    .optional(),
  replyTo: address.optional(),
  headers: headers.optional(),
  tags: z.array(line(EMAIL_LIMITS.TAG_LENGTH)).max(EMAIL_LIMITS.TAGS).optional(),
  recipient: z
    .strictObject({
      externalId: line(128).optional(),
      cpfCnpj: z
        .string()
        .max(32)
        .refine(
          (text) => normaliseCpfCnpj(text) !== undefined,
          'must be a CPF or CNPJ with right check digits',
        )
        .optional(),
      razaoSocial: line(150).optional(),
      nome: line(120).optional(),
    })
    .optional(),
  priority: z.int().min(1).max(10).default(EMAIL_JOB_CONFIG.DEFAULT_PRIORITY),
  sendAt,
  ttlSeconds: z.int().min(EMAIL_LIMITS.TTL_SECONDS_LEAST).max(EMAIL_LIMITS.TTL_SECONDS_MOST).optional(),
  dedupe: z
    .strictObject({ aggregateType: line(128), aggregateId: line(128), eventType: line(128) })
    .optional(),
  onInDoubt: z.enum(['resend', 'fail']).default('resend'),
});

export type SendRequest = z.infer<typeof sendRequestSchema>;

export type CheckedRequest = { ok: true; request: SendRequest } | { ok: false; faults: readonly Fault[] };

/** Every fault at once, each with where it is. */
export function checkSendRequest(body: unknown, now: number): CheckedRequest {
  const parsed = sendRequestSchema.safeParse(body);
  const timing = sendAtFault(body, now);
  if (parsed.success && !timing) return { ok: true, request: parsed.data };
  return {
    ok: false,
    faults: [...(parsed.error?.issues.flatMap(faultsOf) ?? []), ...(timing ? [timing] : [])],
  };
}

/** Reads the body itself, so that a wrong time is told together with whatever else is wrong. */
function sendAtFault(body: unknown, now: number): Fault | undefined {
  const given = sendAt.safeParse((body as { sendAt?: unknown } | null | undefined)?.sendAt);
  if (given.data === undefined) return undefined;
  const at = Date.parse(given.data);
  if (at < now - EMAIL_LIMITS.SEND_AT_MINUTES_PAST * 60_000)
    return { pointer: '/sendAt', message: 'must not be in the past' };
  if (at > now + EMAIL_LIMITS.SEND_AT_DAYS_AHEAD * 86_400_000) {
    return { pointer: '/sendAt', message: `must be at most ${EMAIL_LIMITS.SEND_AT_DAYS_AHEAD} days ahead` };
  }
  return undefined;
}
