import { checkEmailJobData, JOB_VERSION, type EmailSendJobData } from '../../shared/domain/email-job.ts';
import type { ReceivedMessage } from '../../shared/ports/mail-queue.ts';

export type ReadMessage =
  | { readonly kind: 'job'; readonly message: ReceivedMessage; readonly job: EmailSendJobData }
  /** Written by a newer relay than this sender: held until the deploy is through. */
  | { readonly kind: 'newer'; readonly message: ReceivedMessage; readonly version: number }
  | {
      readonly kind: 'invalid';
      readonly message: ReceivedMessage;
      readonly reason: string;
      readonly outboxId?: string;
    };

/** INTEGRITY, the first validation. */
export function readMessage(message: ReceivedMessage): ReadMessage {
  let data: unknown;
  try {
    data = JSON.parse(message.body);
  } catch {
    return { kind: 'invalid', message, reason: 'the message is not JSON' };
  }
  const { v, outboxId } = (typeof data === 'object' && data !== null ? data : {}) as {
    v?: unknown;
    outboxId?: unknown;
  };
  if (typeof v === 'number' && v > JOB_VERSION) return { kind: 'newer', message, version: v };
  const checked = checkEmailJobData(data);
  if (checked.ok) return { kind: 'job', message, job: checked.job };
  return {
    kind: 'invalid',
    message,
    reason: checked.reason,
    ...(typeof outboxId === 'string' && { outboxId }),
  };
}
