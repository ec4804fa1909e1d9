import { randomBytes } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import middy from '@middy/core';
import { brotliBodyStore } from '../../shared/adapters/brotli-body-store.ts';
import { dynamoClient } from '../../shared/adapters/dynamo-client.ts';
import { dynamoEmailStore } from '../../shared/adapters/dynamo-email-store.ts';
import { keyringSecret } from '../../shared/adapters/keyring-secret.ts';
import { createLogger, emailFields } from '../../shared/adapters/logger.ts';
import { answer, type ApiPorts } from './answer.ts';
import { apiEdge } from './api-edge.ts';
import { env } from './env.ts';
import type { ApiEvent, ApiResult } from './http.ts';

const { EMAIL_TABLE, BODY_BUCKET, KEYRING_SECRET_ARN, SENT_RETENTION_DAYS } = env();
const logger = createLogger();
const dynamo = dynamoClient();

const ports: ApiPorts = {
  emails: dynamoEmailStore(dynamo, EMAIL_TABLE),
  bodies: brotliBodyStore(dynamo, new S3Client({}), { emailTable: EMAIL_TABLE, bodyBucket: BODY_BUCKET }),
  keyring: keyringSecret(KEYRING_SECRET_ARN),
  now: () => Date.now(),
  retentionDays: SENT_RETENTION_DAYS,
  random: (bytes) => randomBytes(bytes),
  accepted: (email, replayed) =>
    logger.info(replayed ? 'e-mail replayed' : 'e-mail accepted', emailFields(email)),
  failed: (error) => logger.error('e-mail of a batch not accepted', { error }),
};

export const handler = middy<ApiEvent, ApiResult>()
  .use(apiEdge(logger))
  .handler((event) => answer(event, ports));
