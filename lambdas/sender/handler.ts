import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createLogger } from '../../shared/adapters/logger.ts';
import { receivedMessage } from '../../shared/adapters/sqs-mail-queue.ts';
import { env } from './env.ts';
import { sendBatch } from './send-batch.ts';
import { wirePorts } from './wire-ports.ts';

const config = env();
const queues = { express: config.EXPRESS_QUEUE_URL, bulk: config.BULK_QUEUE_URL };
const ports = wirePorts(config, queues, createLogger());

export const handler = middy<SQSEvent, SQSBatchResponse>().handler(async (event, context) => {
  const messages = event.Records.map((record) => receivedMessage(record, queues));
  const kept = await sendBatch(messages, { ...ports, remainingMs: () => context.getRemainingTimeInMillis() });
  return { batchItemFailures: kept.map((itemIdentifier) => ({ itemIdentifier })) };
});
