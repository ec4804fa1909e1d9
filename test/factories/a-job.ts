import type { EmailSendJobData } from '../../shared/domain/email-job.ts';
import { COMPANY_ID } from './a-company.ts';
import { RECIPIENT_ID } from './a-recipient.ts';
import { HTML_REF, OUTBOX_ID } from './an-email.ts';
import { iso, NOW } from './moments.ts';

export function aJob(overrides: Partial<EmailSendJobData> = {}): EmailSendJobData {
  return {
    v: 1,
    seq: 1,
    outboxId: OUTBOX_ID,
    companyId: COMPANY_ID,
    requestId: 'req-abc123',
    to: 'cliente@example.com',
    subject: 'Seu boleto está disponível',
    htmlRef: HTML_REF,
    recipient: { externalId: 'CUST-12345', nome: 'João da Silva', email: 'cliente@example.com' },
    recipientRef: RECIPIENT_ID,
    attempt: 1,
    enqueuedAt: iso(NOW),
    ...overrides,
  };
}
