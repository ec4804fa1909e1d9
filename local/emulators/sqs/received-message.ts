import { createHash } from 'node:crypto';
import { SqsError } from './errors.ts';
import { md5OfAttributes, selectAttributes } from './message-attributes.ts';
import { sequenceNumber, type Message, type MessageAttributes } from './message.ts';

/** The emulator checks no credentials, so every message has the same sender. */
const SENDER_ID = 'AIDALOCALEMULATOR0000';

type Read = (message: Message) => string | number | undefined;

const SYSTEM_ATTRIBUTES: Record<string, Read> = {
  SenderId: () => SENDER_ID,
  SentTimestamp: ({ stored }) => stored.sentAt,
  ApproximateReceiveCount: ({ stored, delivery }) =>
    (stored.receivesElsewhere ?? 0) + (delivery?.receives ?? 0),
  ApproximateFirstReceiveTimestamp: ({ stored, delivery }) =>
    stored.firstReceivedElsewhereAt ?? delivery?.firstReceivedAt,
  SequenceNumber: ({ stored }) =>
    stored.queue.endsWith('.fifo') ? sequenceNumber(stored.sequence) : undefined,
  MessageDeduplicationId: ({ stored }) => stored.deduplicationId,
  MessageGroupId: ({ stored }) => stored.groupId,
  AWSTraceHeader: ({ stored }) => stored.traceHeader,
  DeadLetterQueueSourceArn: ({ stored }) => stored.deadLetterSourceArn,
};

/** Returns the system attributes of a message that a receiver asked for, by name or with `All`. */
export function systemAttributeReader(wanted: string[]): (message: Message) => Record<string, string> {
  for (const name of wanted) {
    if (name !== 'All' && !Object.hasOwn(SYSTEM_ATTRIBUTES, name)) {
      throw new SqsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
    }
  }
  const names = wanted.includes('All') ? Object.keys(SYSTEM_ATTRIBUTES) : wanted;
  return (message) => {
    const values: Record<string, string> = {};
    for (const name of names) {
      const value = SYSTEM_ATTRIBUTES[name]?.(message);
      if (value !== undefined) values[name] = String(value);
    }
    return values;
  };
}

export interface ReceivedMessage {
  MessageId: string;
  ReceiptHandle: string;
  MD5OfBody: string;
  Body: string;
  Attributes?: Record<string, string>;
  MessageAttributes?: MessageAttributes;
  MD5OfMessageAttributes?: string;
}

export function asReceived(
  message: Message,
  attributes: Record<string, string>,
  wantedMessageAttributes: string[],
): ReceivedMessage {
  const selected = selectAttributes(message.stored.attributes, wantedMessageAttributes);
  const md5 = md5OfAttributes(selected);
  return {
    MessageId: message.stored.id,
    ReceiptHandle: message.delivery!.receiptHandle,
    MD5OfBody: md5OfText(message.stored.body),
    Body: message.stored.body,
    ...(Object.keys(attributes).length > 0 && { Attributes: attributes }),
    ...(md5 !== undefined && { MessageAttributes: selected, MD5OfMessageAttributes: md5 }),
  };
}

export function md5OfText(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
