import { hashCpfCnpj, normaliseCpfCnpj } from './cpf-cnpj.ts';
import type { Email, Mode } from './email.ts';
import { EMAIL_JOB_CONFIG } from './job-config.ts';
import type { Keyring } from './keyring.ts';
import { laneOf } from './lanes.ts';
import { deriveOutboxId, newOutboxId } from './outbox-id.ts';
import { defaultExternalId, recipientIdFor } from './recipient-id.ts';
import type { SendRequest } from './send-request.ts';
import { TEMPLATE_RULES_VERSION } from './template-safety.ts';
import { nextLook, placeInWorkset } from './workset.ts';

export interface Caller {
  readonly companyId: string;
  readonly mode: Mode;
  readonly bulkLanes: number;
}

/** The business event wins over the header; with neither, every request is a mail of its own. */
export function outboxIdFor(
  request: SendRequest,
  owner: string,
  idempotencyKey: string | undefined,
  now: number,
  random: (bytes: number) => Uint8Array,
): string {
  if (request.dedupe) {
    const { aggregateType, aggregateId, eventType } = request.dedupe;
    return deriveOutboxId(['event', owner, aggregateType, aggregateId, eventType]);
  }
  return idempotencyKey === undefined
    ? newOutboxId(now, random)
    : deriveOutboxId(['idem', owner, idempotencyKey]);
}

/** The first state of an accepted mail. */
export function newEmail(
  request: SendRequest,
  caller: Caller,
  accepted: { outboxId: string; requestId: string; htmlRef: string; fingerprint: string },
  keyring: Keyring,
  now: number,
): Email {
  const { outboxId } = accepted;
  const createdAt = new Date(now).toISOString();
  const sendAt =
    request.sendAt !== undefined && Date.parse(request.sendAt) > now ? new Date(request.sendAt) : undefined;
  const ttlMs = request.ttlSeconds === undefined ? EMAIL_JOB_CONFIG.DEFAULT_TTL : request.ttlSeconds * 1000;
  const expiresAt = new Date((sendAt?.getTime() ?? now) + ttlMs).toISOString();
  const email: Email = {
    ...accepted,
    kind: 'EMAIL',
    rev: 1,
    companyId: caller.companyId,
    mode: caller.mode,
    to: request.to,
    ...(request.cc?.length && { cc: request.cc }),
    ...(request.bcc?.length && { bcc: request.bcc }),
    subject: request.subject,
    templateRules: TEMPLATE_RULES_VERSION,
    ...(request.replyTo !== undefined && { replyTo: request.replyTo }),
    ...(request.headers && { headers: request.headers }),
    ...(request.tags?.length && { tags: request.tags }),
    ...recipientOf(request, caller.companyId, keyring),
    priority: request.priority,
    lane: laneOf(request.priority, outboxId, caller.bulkLanes),
    onInDoubt: request.onInDoubt,
    status: sendAt ? 'SCHEDULED' : 'PENDING',
    attempts: 0,
    runs: 1,
    seq: 1,
    holds: 0,
    looks: 0,
    createdAt,
    ...(sendAt && { sendAt: sendAt.toISOString() }),
    expiresAt,
    ...(request.ttlSeconds !== undefined && { ttlSeconds: request.ttlSeconds }),
    sesMessageIds: [],
    events: [],
    ownerKey: caller.companyId,
    createdKey: `${createdAt}#${outboxId}`,
  };
  const { worksetKey, worksetAt } = placeInWorkset(email, nextLook(now, 0, expiresAt));
  return { ...email, ...(worksetKey !== undefined && worksetAt !== undefined && { worksetKey, worksetAt }) };
}

function recipientOf(
  request: SendRequest,
  companyId: string,
  keyring: Keyring,
): Pick<Email, 'recipient' | 'recipientRef'> {
  const { cpfCnpj, externalId, ...names } = request.recipient ?? {};
  const document = cpfCnpj === undefined ? undefined : normaliseCpfCnpj(cpfCnpj);
  const identity =
    externalId ?? (document === undefined ? defaultExternalId(keyring, companyId, request.to) : undefined);
  return {
    recipient: {
      ...(identity !== undefined && { externalId: identity }),
      ...(document !== undefined && { cpfCnpjHash: hashCpfCnpj(keyring, companyId, document) }),
      ...(names.razaoSocial !== undefined && { razaoSocial: names.razaoSocial }),
      ...(names.nome !== undefined && { nome: names.nome }),
      email: request.to,
    },
    recipientRef: recipientIdFor(keyring, companyId, { externalId: identity, cpfCnpj: document }),
  };
}
