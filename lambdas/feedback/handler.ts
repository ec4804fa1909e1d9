import middy from '@middy/core';
import type { EventBridgeEvent } from 'aws-lambda';
import { dynamoClient } from '../../shared/adapters/dynamo-client.ts';
import { dynamoEmailStore } from '../../shared/adapters/dynamo-email-store.ts';
import { dynamoTenantStore } from '../../shared/adapters/dynamo-tenant-store.ts';
import { createLogger, emailFields } from '../../shared/adapters/logger.ts';
import { applyFeedback } from './apply-feedback.ts';
import { env } from './env.ts';
import { readFeedback } from './ses-event.ts';

const { EMAIL_TABLE, TENANT_TABLE, SENT_RETENTION_DAYS } = env();
const logger = createLogger();
const dynamo = dynamoClient();
const ports = {
  emails: dynamoEmailStore(dynamo, EMAIL_TABLE),
  tenants: dynamoTenantStore(dynamo, TENANT_TABLE),
  now: () => Date.now(),
  retentionDays: SENT_RETENTION_DAYS,
};

export const handler = middy<EventBridgeEvent<string, unknown>, void>().handler(async (event) => {
  const feedback = readFeedback(event.detail);
  if (!feedback) return logger.debug('event is not about a mail of ours', { type: event['detail-type'] });
  const { kind, outboxId } = feedback;
  const result = await applyFeedback(feedback, ports);
  switch (result.outcome) {
    case 'applied':
      return logger.info(`mail is ${result.email.status}`, { ...emailFields(result.email), feedback: kind });
    case 'ignored':
      return logger.debug('feedback changes nothing', { outboxId, feedback: kind, why: result.why });
    case 'early':
      // Lambda invokes again in a minute; after the last try the event goes to the failure queue.
      throw new Error(`${kind} came while mail ${outboxId} is ${result.email.status}`);
  }
});
