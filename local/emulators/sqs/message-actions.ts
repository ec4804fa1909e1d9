import type {
  ChangeMessageVisibilityBatchRequest,
  ChangeMessageVisibilityRequest,
  DeleteMessageBatchRequest,
  DeleteMessageRequest,
  ReceiveMessageRequest,
  SendMessageBatchRequest,
  SendMessageRequest,
} from '@aws-sdk/client-sqs';
import type { Account } from './account.ts';
import { checkedEntries, eachEntry } from './batch.ts';
import { SqsError, missingParameter } from './errors.ts';
import { md5OfAttributes } from './message-attributes.ts';
import { sequenceNumber } from './message.ts';
import { checkedMessage, sizeOfEntry, type MessageEntry } from './new-message.ts';
import { optionalInteger, optionalSeconds } from './parameters.ts';
import { LARGEST_MESSAGE, LONGEST_VISIBILITY_SECONDS } from './queue-attributes.ts';
import type { Queue, ReceiveRequest } from './queue.ts';
import { asReceived, md5OfText, systemAttributeReader } from './received-message.ts';

export function sendMessage({ queues }: Account, input: SendMessageRequest) {
  return send(queues.byUrl(input.QueueUrl), input);
}

export function sendMessageBatch({ queues }: Account, input: SendMessageBatchRequest) {
  const queue = queues.byUrl(input.QueueUrl);
  const entries = checkedEntries(input.Entries, 'SendMessageBatch');
  const size = entries.reduce((sum, entry) => sum + sizeOfEntry(entry), 0);
  if (size > LARGEST_MESSAGE) {
    const message = `Batch requests cannot be longer than ${LARGEST_MESSAGE} bytes. You have sent ${size} bytes.`;
    throw new SqsError('BatchRequestTooLong', message);
  }
  return eachEntry(entries, (entry) => send(queue, entry));
}

export async function receiveMessage({ queues }: Account, input: ReceiveMessageRequest, hungUp: AbortSignal) {
  const queue = queues.byUrl(input.QueueUrl);
  const max = optionalInteger('MaxNumberOfMessages', input.MaxNumberOfMessages, 1, 10) ?? 1;
  const visibility = optionalSeconds(
    'VisibilityTimeout',
    input.VisibilityTimeout,
    LONGEST_VISIBILITY_SECONDS,
  );
  const wait = optionalSeconds('WaitTimeSeconds', input.WaitTimeSeconds, 20);
  const readAttributes = systemAttributeReader([
    ...(input.AttributeNames ?? []),
    ...(input.MessageSystemAttributeNames ?? []),
  ]);
  const request: ReceiveRequest = {
    max,
    visibilityMs: visibility === undefined ? queue.settings.visibilityMs : visibility * 1000,
    ...(queue.fifo && input.ReceiveRequestAttemptId && { attemptId: input.ReceiveRequestAttemptId }),
  };
  const waitMs = wait === undefined ? queue.settings.receiveWaitMs : wait * 1000;
  const messages = await queue.polls.receiveWithin(waitMs, request, hungUp);
  const received = messages.map((message) =>
    asReceived(message, readAttributes(message), input.MessageAttributeNames ?? []),
  );
  return received.length > 0 ? { Messages: received } : {};
}

export function deleteMessage({ queues }: Account, input: DeleteMessageRequest) {
  queues.byUrl(input.QueueUrl).delete(input.ReceiptHandle);
  return {};
}

export function deleteMessageBatch({ queues }: Account, input: DeleteMessageBatchRequest) {
  const queue = queues.byUrl(input.QueueUrl);
  return eachEntry(checkedEntries(input.Entries, 'DeleteMessageBatch'), (entry) => {
    queue.delete(entry.ReceiptHandle);
    return {};
  });
}

export function changeMessageVisibility({ queues }: Account, input: ChangeMessageVisibilityRequest) {
  changeVisibility(queues.byUrl(input.QueueUrl), input);
  return {};
}

export function changeMessageVisibilityBatch(
  { queues }: Account,
  input: ChangeMessageVisibilityBatchRequest,
) {
  const queue = queues.byUrl(input.QueueUrl);
  return eachEntry(checkedEntries(input.Entries, 'ChangeMessageVisibilityBatch'), (entry) => {
    changeVisibility(queue, entry);
    return {};
  });
}

function send(queue: Queue, entry: MessageEntry) {
  const message = checkedMessage(queue, entry);
  const { id, sequence } = queue.send(message);
  const md5OfMessageAttributes = md5OfAttributes(message.attributes);
  const trace = message.traceHeader;
  return {
    MessageId: id,
    MD5OfMessageBody: md5OfText(message.body),
    ...(md5OfMessageAttributes !== undefined && { MD5OfMessageAttributes: md5OfMessageAttributes }),
    ...(trace !== undefined && {
      MD5OfMessageSystemAttributes: md5OfAttributes({
        AWSTraceHeader: { DataType: 'String', StringValue: trace },
      }),
    }),
    ...(queue.fifo && { SequenceNumber: sequenceNumber(sequence) }),
  };
}

function changeVisibility(
  queue: Queue,
  request: { ReceiptHandle?: string | undefined; VisibilityTimeout?: number | undefined },
): void {
  const seconds = optionalSeconds('VisibilityTimeout', request.VisibilityTimeout, LONGEST_VISIBILITY_SECONDS);
  if (seconds === undefined) throw missingParameter('VisibilityTimeout');
  queue.changeVisibility(request.ReceiptHandle, seconds * 1000);
}
