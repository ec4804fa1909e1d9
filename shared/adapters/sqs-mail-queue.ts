import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { QueueName } from '../domain/lanes.ts';
import type { SQSRecord } from 'aws-lambda';
import type { Enqueue, HeldMessages, MailQueue, ReceivedMessage } from '../ports/mail-queue.ts';

export type QueueUrls = Readonly<Record<QueueName, string>>;

const BATCH = 10;
const LONGEST_HIDING_SECONDS = 43_200;

export function sqsMailQueue(sqs: SQSClient, urls: QueueUrls): MailQueue {
  return {
    async send(entries) {
      const refused = new Map<number, string>();
      const numbered = entries.map((entry, position) => ({ entry, position }));
      for (const queue of ['express', 'bulk'] as const) {
        const ofQueue = numbered.filter(({ entry }) => entry.queue === queue);
        for (let start = 0; start < ofQueue.length; start += BATCH) {
          await sendTen(sqs, urls[queue], ofQueue.slice(start, start + BATCH), refused);
        }
      }
      return refused;
    },
  };
}

/** A call that fails as a whole refuses its ten, not the hundred: those before it are in the queue. */
async function sendTen(
  sqs: SQSClient,
  url: string,
  ten: readonly { entry: Enqueue; position: number }[],
  refused: Map<number, string>,
): Promise<void> {
  try {
    const { Failed } = await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: url,
        Entries: ten.map(({ entry, position }) => ({
          Id: String(position),
          MessageBody: JSON.stringify(entry.job),
          MessageGroupId: entry.group,
          MessageDeduplicationId: `${entry.job.outboxId}:${entry.job.seq}`,
        })),
      }),
    );
    for (const failed of Failed ?? []) refused.set(Number(failed.Id), `${failed.Code}: ${failed.Message}`);
  } catch (error) {
    for (const { position } of ten) refused.set(position, String(error));
  }
}

export function sqsHeldMessages(sqs: SQSClient, urls: QueueUrls): HeldMessages {
  return {
    async hide(message, seconds) {
      await sqs.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: urls[message.queue],
          ReceiptHandle: message.receiptHandle,
          VisibilityTimeout: Math.min(Math.max(0, Math.ceil(seconds)), LONGEST_HIDING_SECONDS),
        }),
      );
    },
    async copy(message) {
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: urls[message.queue],
          MessageBody: message.body,
          MessageGroupId: message.group,
          MessageDeduplicationId: `copy:${message.messageId}`,
        }),
      );
    },
  };
}

/** Approximate, as SQS counts; messages in flight are in the queue, too. */
export async function messagesQueued(sqs: SQSClient, urls: QueueUrls): Promise<number> {
  const depth = async (QueueUrl: string) => {
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
      }),
    );
    return Object.values(Attributes).reduce((total, count) => total + Number(count), 0);
  };
  const [express, bulk] = await Promise.all([depth(urls.express), depth(urls.bulk)]);
  return express + bulk;
}

/** A queue is recognised by its name: the last part of its ARN and of its URL. */
export function receivedMessage(record: SQSRecord, urls: QueueUrls): ReceivedMessage {
  const name = record.eventSourceARN.split(':').at(-1);
  const queue: QueueName = urls.bulk.split('/').at(-1) === name ? 'bulk' : 'express';
  return {
    messageId: record.messageId,
    receiptHandle: record.receiptHandle,
    queue,
    group: record.attributes.MessageGroupId ?? '',
    body: record.body,
    receiveCount: Number(record.attributes.ApproximateReceiveCount),
    sentAt: Number(record.attributes.SentTimestamp),
  };
}
