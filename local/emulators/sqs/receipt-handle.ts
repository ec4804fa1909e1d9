import { randomUUID } from 'node:crypto';
import { SqsError, missingParameter } from './errors.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Opaque to the caller: which message of which queue, and which of its deliveries. */
export function newReceiptHandle(queue: string, messageId: string): string {
  return Buffer.from([queue, messageId, randomUUID()].join(' ')).toString('base64');
}

/** The id of the message that a handle of this queue stands for. */
export function messageIdOf(handle: string | undefined, queue: string): string {
  if (!handle) throw missingParameter('ReceiptHandle');
  const [name, messageId, delivery] = Buffer.from(handle, 'base64').toString().split(' ');
  if (name !== queue || !UUID.test(messageId ?? '') || !UUID.test(delivery ?? '')) {
    throw new SqsError(
      'ReceiptHandleIsInvalid',
      `The input receipt handle "${handle}" is not a valid receipt handle.`,
    );
  }
  return messageId!;
}
