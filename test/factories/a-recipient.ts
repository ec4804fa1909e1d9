import type { Recipient } from '../../shared/domain/company.ts';
import { COMPANY_ID } from './a-company.ts';
import { DAY, iso, NOW } from './moments.ts';

export const RECIPIENT_ID = '0d9f4f2e-6a52-4c1b-9f0e-3f6a3c0a7e11';

export function aRecipient(overrides: Partial<Recipient> = {}): Recipient {
  return {
    recipientId: RECIPIENT_ID,
    companyId: COMPANY_ID,
    email: 'cliente@example.com',
    externalId: 'CUST-12345',
    createdAt: iso(NOW - DAY),
    updatedAt: iso(NOW - DAY),
    ...overrides,
  };
}
