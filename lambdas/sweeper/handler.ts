import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { ScheduledEvent } from 'aws-lambda';
import { dynamoClient } from '../../shared/adapters/dynamo-client.ts';
import { dynamoEmailStore } from '../../shared/adapters/dynamo-email-store.ts';
import { dynamoWorkset } from '../../shared/adapters/dynamo-workset.ts';
import { createLogger } from '../../shared/adapters/logger.ts';
import { messagesQueued, sqsMailQueue } from '../../shared/adapters/sqs-mail-queue.ts';
import { env } from './env.ts';
import { sweep } from './sweep.ts';

const { EMAIL_TABLE, EXPRESS_QUEUE_URL, BULK_QUEUE_URL, SENT_RETENTION_DAYS } = env();
const logger = createLogger();
const dynamo = dynamoClient();
const sqs = new SQSClient({});
const queues = { express: EXPRESS_QUEUE_URL, bulk: BULK_QUEUE_URL };

export const handler = middy<ScheduledEvent, void>().handler(async () => {
  const report = await sweep({
    emails: dynamoEmailStore(dynamo, EMAIL_TABLE),
    workset: dynamoWorkset(dynamo, EMAIL_TABLE),
    queue: sqsMailQueue(sqs, queues),
    queued: () => messagesQueued(sqs, queues),
    now: () => Date.now(),
    retentionDays: SENT_RETENTION_DAYS,
    log: (message, more) => logger.error(message, more),
  });
  if (report.due + report.watch > 0) logger.info('swept', { ...report });
});
