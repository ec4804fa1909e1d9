import { z } from 'zod';
import { faultsOf, type Fault } from './api-errors.ts';
import { hashCpfCnpj, normaliseCpfCnpj } from './cpf-cnpj.ts';
import type { Email } from './email.ts';
import { normaliseAddress } from './email-address.ts';
import { EMAIL_STATUSES, type EmailStatus } from './email-state.ts';
import type { Keyring } from './keyring.ts';

export const LARGEST_PAGE = 100;
const DEFAULT_PAGE = 25;

const statuses = z
  .string()
  .transform((list) => list.split(','))
  .pipe(z.array(z.enum(EMAIL_STATUSES)).min(1));

/** The query of `GET /v1/emails`. Values arrive as text. */
export const listQuerySchema = z.strictObject({
  status: statuses.optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  to: z.string().min(1).max(254).optional(),
  externalId: z.string().min(1).max(128).optional(),
  tag: z.string().min(1).max(50).optional(),
  cpfCnpj: z
    .string()
    .refine((text) => normaliseCpfCnpj(text) !== undefined, 'must be a CPF or CNPJ with right check digits')
    .optional(),
  limit: z.coerce.number().int().min(1).max(LARGEST_PAGE).default(DEFAULT_PAGE),
  cursor: z.string().max(1024).optional(),
});

export type ListQuery = z.infer<typeof listQuerySchema>;

export type CheckedQuery = { ok: true; query: ListQuery } | { ok: false; faults: readonly Fault[] };

export function checkListQuery(query: Record<string, string | undefined>): CheckedQuery {
  const parsed = listQuerySchema.safeParse(query);
  if (!parsed.success) return { ok: false, faults: parsed.error.issues.flatMap(faultsOf) };
  const { from, until } = parsed.data;
  if (from !== undefined && until !== undefined && Date.parse(from) > Date.parse(until)) {
    return { ok: false, faults: [{ pointer: '/until', message: 'must not be before from' }] };
  }
  return { ok: true, query: parsed.data };
}

/** Every filter but the dates, which the index answers. */
export function emailFilter(
  query: ListQuery,
  companyId: string,
  keyring: Keyring,
): (email: Email) => boolean {
  const wanted = query.status && new Set<EmailStatus>(query.status);
  const to = query.to && normaliseAddress(query.to);
  const document = query.cpfCnpj && normaliseCpfCnpj(query.cpfCnpj);
  // A mail keeps the hash of the key version of its day.
  const hashes =
    document &&
    [...keyring.roots.keys()].map((version) => hashCpfCnpj(keyring, companyId, document, version));
  return (email) =>
    (!wanted || wanted.has(email.status)) &&
    (!to || normaliseAddress(email.to) === to) &&
    (!query.externalId || email.recipient.externalId === query.externalId) &&
    (!query.tag || (email.tags ?? []).includes(query.tag)) &&
    (!hashes || hashes.includes(email.recipient.cpfCnpjHash ?? ''));
}
