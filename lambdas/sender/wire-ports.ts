import { setTimeout as sleep } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SQSClient } from '@aws-sdk/client-sqs';
import { brotliBodyStore } from '../../shared/adapters/brotli-body-store.ts';
import { cached } from '../../shared/adapters/cached.ts';
import { dynamoClient } from '../../shared/adapters/dynamo-client.ts';
import { dynamoEmailStore } from '../../shared/adapters/dynamo-email-store.ts';
import { dynamoEvidenceReader } from '../../shared/adapters/dynamo-evidence-reader.ts';
import { dynamoTenantStore } from '../../shared/adapters/dynamo-tenant-store.ts';
import type { Logger } from '../../shared/adapters/logger.ts';
import { accountSendRate, sesMailer, simulatedMailer } from '../../shared/adapters/ses-mailer.ts';
import { sqsHeldMessages, sqsMailQueue, type QueueUrls } from '../../shared/adapters/sqs-mail-queue.ts';
import type { SenderEnv } from './env.ts';
import { createPacer, shareOfRate } from './pacer.ts';
import type { SenderPorts } from './ports.ts';
import { senderLog } from './sender-log.ts';
import { tenantFigures } from './tenant-figures.ts';

const COMPANY_REMEMBERED_MS = 60_000;

/** Everything but the clock of one invocation. */
export function wirePorts(
  config: SenderEnv,
  queues: QueueUrls,
  logger: Logger,
): Omit<SenderPorts, 'remainingMs'> {
  const dynamo = dynamoClient();
  const s3 = new S3Client({});
  const sqs = new SQSClient({});
  // Each retry of a send is ours to decide: SES has no idempotency token.
  const ses = new SESv2Client({ maxAttempts: 1 });
  const names = {
    emailTable: config.EMAIL_TABLE,
    tenantTable: config.TENANT_TABLE,
    bodyBucket: config.BODY_BUCKET,
  };
  const tenants = dynamoTenantStore(dynamo, names.tenantTable);
  const now = () => Date.now();
  // Asking for the rate is harmless, so there the SDK may try again.
  const account = new SESv2Client({});
  const rate = shareOfRate(() => accountSendRate(account), config.SENDER_CONCURRENCY, now);
  return {
    emails: dynamoEmailStore(dynamo, names.emailTable),
    evidence: dynamoEvidenceReader(dynamo, s3, names),
    tenants,
    company: cached((companyId) => tenants.getCompany(companyId), COMPANY_REMEMBERED_MS, now),
    queue: sqsMailQueue(sqs, queues),
    held: sqsHeldMessages(sqs, queues),
    bodies: brotliBodyStore(dynamo, s3, names),
    mailer: sesMailer(ses, config.CONFIGURATION_SET),
    testMailer: simulatedMailer(),
    served: tenantFigures(now),
    pace: createPacer(rate, now, sleep),
    now,
    sleep,
    random: Math.random,
    log: senderLog(logger),
    settings: {
      defaultFrom: config.DEFAULT_FROM,
      backoffCurve: config.BACKOFF_CURVE,
      retentionDays: config.SENT_RETENTION_DAYS,
    },
  };
}
