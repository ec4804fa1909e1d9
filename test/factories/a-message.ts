import type { ReceivedMessage } from '../../shared/ports/mail-queue.ts';
import { COMPANY_ID } from './a-company.ts';
import { aJob } from './a-job.ts';
import { NOW } from './moments.ts';

/** A message as a sender receives it for the first time. */
export function aMessage(overrides: Partial<ReceivedMessage> = {}): ReceivedMessage {
  return {
    messageId: 'message-1',
    receiptHandle: 'message-1/1',
    queue: 'express',
    group: `${COMPANY_ID}:normal`,
    body: JSON.stringify(aJob()),
    receiveCount: 1,
    sentAt: NOW,
    ...overrides,
  };
}
