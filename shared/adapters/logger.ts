import { Logger } from '@aws-lambda-powertools/logger';
import type { Email } from '../domain/email.ts';
import { maskEmail, maskHash, maskText } from '../domain/masking.ts';

const ADDRESSES = new Set(['to', 'cc', 'bcc', 'email', 'replyTo', 'address']);
const NEVER_LOGGED = new Set(['html', 'text', 'cpfCnpj', 'subject', 'body', 'key', 'x-api-key']);

/** The last gate before a log line is written: whatever a caller passes in, these fields leave masked. */
export function maskField(key: string, value: unknown): unknown {
  if (NEVER_LOGGED.has(key)) return '***';
  if (ADDRESSES.has(key) && typeof value === 'string') return maskEmail(value);
  if (ADDRESSES.has(key) && Array.isArray(value)) return value.map((entry) => maskEmail(String(entry)));
  if (key === 'cpfCnpjHash' && typeof value === 'string') return maskHash(value);
  return typeof value === 'string' ? maskText(value) : value;
}

export function createLogger(): Logger {
  return new Logger({ jsonReplacerFn: maskField });
}

/** The fields that every line about a mail carries. */
export function emailFields(
  email: Pick<Email, 'outboxId' | 'requestId' | 'companyId' | 'attempts' | 'status'>,
) {
  return {
    outboxId: email.outboxId,
    requestId: email.requestId,
    companyId: email.companyId,
    attempt: email.attempts,
    state: email.status,
  };
}

export type { Logger };
