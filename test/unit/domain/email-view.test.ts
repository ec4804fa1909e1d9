import { expect, it } from 'vitest';
import { emailView } from '../../../shared/domain/email-view.ts';
import { aClaimedEmail, aFailedEmail, anEmail, OUTBOX_ID } from '../../factories/an-email.ts';
import { iso, NOW } from '../../factories/moments.ts';

it('shows a new mail with every field, empty ones too', () => {
  const email = anEmail();
  expect(emailView(email)).toEqual({
    outboxId: OUTBOX_ID,
    jobId: OUTBOX_ID,
    requestId: 'req-abc123',
    status: 'PENDING',
    mode: 'live',
    to: 'cliente@example.com',
    cc: [],
    bcc: [],
    subject: 'Seu boleto está disponível',
    replyTo: null,
    tags: [],
    externalId: 'CUST-12345',
    priority: 5,
    attempts: 0,
    sesMessageId: null,
    errorCode: null,
    errorReason: null,
    durationMs: null,
    receivedAt: email.createdAt,
    sendAt: null,
    expiresAt: email.expiresAt,
    nextAttemptAt: null,
    sentAt: null,
    failedAt: null,
    events: [],
  });
});

it('shows the last message id', () => {
  expect(emailView(anEmail({ sesMessageIds: ['ses-1', 'ses-2'] })).sesMessageId).toBe('ses-2');
});

it('shows why a mail failed', () => {
  const email = aFailedEmail();
  expect(emailView(email)).toMatchObject({
    status: 'FAILED',
    attempts: 5,
    errorCode: 'SES_MAIL_FROM_DOMAIN_NOT_VERIFIED',
    errorReason: email.errorReason,
    failedAt: email.failedAt,
  });
});

it('shows the timeline', () => {
  const at = iso(NOW);
  const events = [
    { type: 'SENT_ATTEMPT', at, attempt: 1 },
    { type: 'SENT', at, attempt: 1, meta: { sesMessageId: 'ses-1' } },
    { type: 'DUE', at },
  ] as const;
  expect(emailView(anEmail({ events })).events).toEqual([
    { type: 'SENT_ATTEMPT', at, attempt: 1 },
    { type: 'SENT', at, attempt: 1, metadata: { sesMessageId: 'ses-1' } },
    { type: 'DUE', at },
  ]);
});

it('shows nothing of how a mail is kept, and no hash of a document', () => {
  const email = aClaimedEmail({
    recipient: { cpfCnpjHash: 'c'.repeat(64), email: 'cliente@example.com' },
    deadMessageId: 'message-1',
    inDoubt: true,
  });
  const shown = JSON.stringify(emailView(email));
  for (const secret of [email.fingerprint, email.htmlRef, email.recipientRef, 'c'.repeat(64), 'message-1'])
    expect(shown).not.toContain(secret);
  expect(shown).not.toMatch(/"(rev|seq|kind|lane|worksetKey|leaseUntil|ownerKey|purgeAt|inDoubt|companyId)"/);
});
