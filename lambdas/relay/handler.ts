import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import middy from '@middy/core';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { createLogger } from '../../shared/adapters/logger.ts';
import { sqsMailQueue } from '../../shared/adapters/sqs-mail-queue.ts';
import { env } from './env.ts';
import { relayChanges, type Change } from './relay-changes.ts';

const { EXPRESS_QUEUE_URL, BULK_QUEUE_URL } = env();
const logger = createLogger();
const queue = sqsMailQueue(new SQSClient({}), { express: EXPRESS_QUEUE_URL, bulk: BULK_QUEUE_URL });

export const handler = middy<DynamoDBStreamEvent, DynamoDBBatchResponse>().handler(async (event) => {
  const unrelayed = await relayChanges(event.Records.map(changeOf), { queue, now: () => Date.now() });
  for (const { outboxId, reason } of unrelayed) logger.error('mail not relayed', { outboxId, reason });
  return { batchItemFailures: unrelayed.map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })) };
});

function changeOf(record: DynamoDBRecord): Change {
  const image = record.dynamodb?.NewImage as Record<string, AttributeValue> | undefined;
  return { sequenceNumber: record.dynamodb?.SequenceNumber ?? '', image: image && unmarshall(image) };
}
