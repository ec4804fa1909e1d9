import type { Email } from '../../shared/domain/email.ts';
import { TEMPLATE_RULES_VERSION } from '../../shared/domain/template-safety.ts';
import { COMPANY_ID } from './a-company.ts';
import { RECIPIENT_ID } from './a-recipient.ts';
import { DAY, iso, MINUTE, NOW } from './moments.ts';

export const OUTBOX_ID = '123e4567-e89b-42d3-a456-426614174000';
export const HTML_REF = `dynamodb:${OUTBOX_ID}:${'a'.repeat(64)}`;

/** A mail that was accepted a minute ago and that nobody has tried to send yet. */
export function anEmail(overrides: Partial<Email> = {}): Email {
  const createdAt = iso(NOW - MINUTE);
  return {
    outboxId: OUTBOX_ID,
    kind: 'EMAIL',
    rev: 1,
    companyId: COMPANY_ID,
    requestId: 'req-abc123',
    mode: 'live',
    to: 'cliente@example.com',
    subject: 'Seu boleto está disponível',
    htmlRef: HTML_REF,
    templateRules: TEMPLATE_RULES_VERSION,
    recipient: { externalId: 'CUST-12345', email: 'cliente@example.com' },
    recipientRef: RECIPIENT_ID,
    priority: 5,
    lane: 'normal',
    onInDoubt: 'resend',
    fingerprint: `v1:${'b'.repeat(64)}`,
    status: 'PENDING',
    attempts: 0,
    runs: 1,
    seq: 1,
    holds: 0,
    looks: 0,
    createdAt,
    expiresAt: iso(NOW - MINUTE + DAY),
    sesMessageIds: [],
    events: [],
    ownerKey: COMPANY_ID,
    createdKey: `${createdAt}#${OUTBOX_ID}`,
    worksetKey: 'watch#0',
    worksetAt: iso(NOW + 9 * MINUTE),
    ...overrides,
  };
}

/** A mail that a sender claimed a second ago, in its first attempt. */
export function aClaimedEmail(overrides: Partial<Email> = {}): Email {
  return anEmail({
    status: 'SENT_ATTEMPT',
    rev: 2,
    attempts: 1,
    claimedAt: iso(NOW - 1000),
    leaseUntil: iso(NOW + 69_000),
    ...overrides,
  });
}

/** A mail that failed for good an hour ago and lies in the dead-letter queue. */
export function aFailedEmail(overrides: Partial<Email> = {}): Email {
  return anEmail({
    status: 'FAILED',
    rev: 3,
    attempts: 5,
    errorCode: 'SES_MAIL_FROM_DOMAIN_NOT_VERIFIED',
    errorReason: 'MailFromDomainNotVerifiedException: not verified',
    failedAt: iso(NOW - 60 * MINUTE),
    deadSeq: 1,
    deadMessageId: 'message-1',
    worksetKey: 'dead#0',
    worksetAt: iso(NOW - 60 * MINUTE),
    purgeAt: Math.ceil(NOW / 1000) + 30 * 86_400,
    ...overrides,
  });
}
