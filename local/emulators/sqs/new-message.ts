import { createHash } from 'node:crypto';
import type { SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { SqsError, invalidParameter, invalidValue, missingParameter } from './errors.ts';
import { checkMessageAttributes, sizeOfAttributes } from './message-attributes.ts';
import type { MessageAttributes } from './message.ts';
import { optionalSeconds } from './parameters.ts';
import type { NewMessage, Queue } from './queue.ts';

export type MessageEntry = Omit<SendMessageBatchRequestEntry, 'Id'>;

/** Characters that XML can carry: the rule dates from SQS's first protocol and still holds. */
const CONTENT = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;
const ID = /^[A-Za-z0-9!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]{1,128}$/;
const WRONG_QUEUE_TYPE = 'The request include parameter that is not valid for this queue type';

/** On the wire a binary value is base64 text, not bytes as in the SDK's types. */
export function attributesOf(entry: MessageEntry): MessageAttributes {
  return (entry.MessageAttributes ?? {}) as unknown as MessageAttributes;
}

export function sizeOfEntry(entry: MessageEntry): number {
  return Buffer.byteLength(entry.MessageBody ?? '') + sizeOfAttributes(attributesOf(entry));
}

/** The message as the queue takes it in, if SQS would accept it. */
export function checkedMessage(queue: Queue, entry: MessageEntry): NewMessage {
  const body = entry.MessageBody;
  if (!body) throw missingParameter('MessageBody');
  if (!CONTENT.test(body)) {
    throw new SqsError(
      'InvalidMessageContents',
      'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF',
    );
  }
  const attributes = attributesOf(entry);
  checkMessageAttributes(attributes);
  if (sizeOfEntry(entry) > queue.settings.maximumMessageSize) {
    const limit = queue.settings.maximumMessageSize;
    throw invalidParameter(
      `One or more parameters are invalid. Reason: Message must be shorter than ${limit} bytes.`,
    );
  }
  const delaySeconds = optionalSeconds('DelaySeconds', entry.DelaySeconds, 900);
  if (queue.fifo && delaySeconds) throw invalidValue('DelaySeconds', delaySeconds, WRONG_QUEUE_TYPE);
  const groupId = checkedGroupId(queue, entry.MessageGroupId);
  const deduplicationId = checkedDeduplicationId(queue, entry);
  const traceHeader = checkedTraceHeader(entry);
  return {
    body,
    attributes,
    ...(traceHeader !== undefined && { traceHeader }),
    ...(groupId !== undefined && { groupId }),
    ...(deduplicationId !== undefined && { deduplicationId }),
    ...(!queue.fifo && delaySeconds !== undefined && { delayMs: delaySeconds * 1000 }),
  };
}

/** A standard queue takes a group id too, for fairness between tenants, but keeps no order by it. */
function checkedGroupId(queue: Queue, groupId: string | undefined): string | undefined {
  if (groupId === undefined) {
    if (queue.fifo) throw missingParameter('MessageGroupId');
    return undefined;
  }
  if (!ID.test(groupId)) {
    const reason =
      'MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length';
    throw invalidValue('MessageGroupId', groupId, reason);
  }
  return groupId;
}

function checkedDeduplicationId(queue: Queue, entry: MessageEntry): string | undefined {
  const id = entry.MessageDeduplicationId;
  if (!queue.fifo) {
    if (id !== undefined) throw invalidValue('MessageDeduplicationId', id, WRONG_QUEUE_TYPE);
    return undefined;
  }
  if (id === undefined) {
    if (queue.settings.contentBasedDeduplication) {
      return createHash('sha256').update(entry.MessageBody!).digest('hex');
    }
    throw invalidParameter(
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    );
  }
  if (!ID.test(id)) {
    const reason =
      'MessageDeduplicationId can only include alphanumeric and punctuation characters. 1 to 128 in length';
    throw invalidValue('MessageDeduplicationId', id, reason);
  }
  return id;
}

function checkedTraceHeader(entry: MessageEntry): string | undefined {
  const attributes = (entry.MessageSystemAttributes ?? {}) as MessageAttributes;
  for (const name of Object.keys(attributes)) {
    if (name !== 'AWSTraceHeader') {
      throw invalidParameter(`Message system attribute name '${name}' is invalid.`);
    }
  }
  return attributes['AWSTraceHeader']?.StringValue;
}
