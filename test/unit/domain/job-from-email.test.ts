import { expect, it } from 'vitest';
import { validateEmailJobData } from '../../../shared/domain/email-job.ts';
import { jobFromEmail } from '../../../shared/domain/job-from-email.ts';
import { RECIPIENT_ID } from '../../factories/a-recipient.ts';
import { anEmail, HTML_REF, OUTBOX_ID } from '../../factories/an-email.ts';
import { COMPANY_ID } from '../../factories/a-company.ts';
import { iso, NOW } from '../../factories/moments.ts';

it('carries everything the contract asks for, and the newest seq', () => {
  const email = anEmail({
    seq: 3,
    cc: ['copia@example.com'],
    bcc: ['oculta@example.com'],
    replyTo: 'contato@example.com',
    headers: { 'X-Order': '1' },
    tags: ['boleto'],
  });
  expect(jobFromEmail(email, NOW)).toEqual({
    v: 1,
    seq: 3,
    outboxId: OUTBOX_ID,
    companyId: COMPANY_ID,
    requestId: 'req-abc123',
    to: 'cliente@example.com',
    cc: ['copia@example.com'],
    bcc: ['oculta@example.com'],
    subject: 'Seu boleto está disponível',
    htmlRef: HTML_REF,
    replyTo: 'contato@example.com',
    headers: { 'X-Order': '1' },
    tags: ['boleto'],
    recipient: { externalId: 'CUST-12345', email: 'cliente@example.com' },
    recipientRef: RECIPIENT_ID,
    attempt: 1,
    enqueuedAt: iso(NOW),
  });
});

it('is a valid job after it travelled as JSON', () => {
  const job = jobFromEmail(anEmail(), NOW);
  expect(validateEmailJobData(JSON.parse(JSON.stringify(job)))).toMatchObject({ outboxId: OUTBOX_ID });
});

it.each([
  [0, 1],
  [1, 2],
  [4, 5],
  [5, 5],
])('after %i attempts it announces attempt %i', (attempts, announced) => {
  expect(jobFromEmail(anEmail({ attempts }), NOW).attempt).toBe(announced);
});

it('throws if the item cannot make a valid job', () => {
  const email = anEmail({ recipient: { externalId: 'CUST-1', email: 'outro@example.com' } });
  expect(() => jobFromEmail(email, NOW)).toThrow('recipient.email must match to');
});
