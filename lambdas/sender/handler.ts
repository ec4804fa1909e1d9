import { S3Client } from '@aws-sdk/client-s3';
import { GetAccountCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { cached } from '../../shared/adapters/cached.ts';
import { dynamoClient } from '../../shared/adapters/dynamo-client.ts';
import { dynamoEmailStore } from '../../shared/adapters/dynamo-email-store.ts';
import { dynamoEvidenceReader } from '../../shared/adapters/dynamo-evidence-reader.ts';
import { dynamoTenantStore } from '../../shared/adapters/dynamo-tenant-store.ts';
import { createLogger } from '../../shared/adapters/logger.ts';
import { sesMailer, simulatedMailer } from '../../shared/adapters/ses-mailer.ts';
import { receivedMessage, sqsHeldMessages, sqsMailQueue } from '../../shared/adapters/sqs-mail-queue.ts';
import { env } from './env.ts';
import { createPacer, shareOfRate } from './pacer.ts';
import type { SenderPorts } from './ports.ts';
import { sendBatch } from './send-batch.ts';
import { senderLog } from './sender-log.ts';

const config = env();
const dynamo = dynamoClient();
const s3 = new S3Client({});
const sqs = new SQSClient({});
const ses = new SESv2Client({ maxAttempts: 1 });
const tables = {
  emailTable: config.EMAIL_TABLE,
  tenantTable: config.TENANT_TABLE,
  bodyBucket: config.BODY_BUCKET,
};
const queues = { express: config.EXPRESS_QUEUE_URL, bulk: config.BULK_QUEUE_URL };
const tenants = dynamoTenantStore(dynamo, config.TENANT_TABLE);
const now = () => Date.now();
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const accountRate = async () => (await ses.send(new GetAccountCommand({}))).SendQuota?.MaxSendRate ?? 1;

const ports: Omit<SenderPorts, 'remainingMs'> = {
  emails: dynamoEmailStore(dynamo, config.EMAIL_TABLE),
  evidence: dynamoEvidenceReader(dynamo, s3, tables),
  tenants,
  company: cached((companyId) => tenants.getCompany(companyId), 60_000, now),
  queue: sqsMailQueue(sqs, queues),
  held: sqsHeldMessages(sqs, queues),
  mailer: sesMailer(ses, config.CONFIGURATION_SET),
  testMailer: simulatedMailer(),
  pace: createPacer(shareOfRate(accountRate, config.SENDER_CONCURRENCY, now), now, sleep),
  now,
  sleep,
  random: Math.random,
  log: senderLog(createLogger()),
  settings: {
    defaultFrom: config.DEFAULT_FROM,
    backoffCurve: config.BACKOFF_CURVE,
    retentionDays: config.SENT_RETENTION_DAYS,
  },
};

export const handler = middy<SQSEvent, SQSBatchResponse>().handler(async (event, context) => {
  const messages = event.Records.map((record) => receivedMessage(record, queues));
  const kept = await sendBatch(messages, { ...ports, remainingMs: () => context.getRemainingTimeInMillis() });
  return { batchItemFailures: kept.map((itemIdentifier) => ({ itemIdentifier })) };
});
