import middy from '@middy/core';
import type {
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerWithContextResult,
} from 'aws-lambda';
import { dynamoClient } from '../../shared/adapters/dynamo-client.ts';
import { dynamoTenantStore } from '../../shared/adapters/dynamo-tenant-store.ts';
import { keyringSecret } from '../../shared/adapters/keyring-secret.ts';
import { createLogger } from '../../shared/adapters/logger.ts';
import type { Verdict } from '../../shared/domain/api-key.ts';
import { keyAuthorizer } from './authorize-key.ts';
import { env } from './env.ts';

const { TENANT_TABLE, KEYRING_SECRET_ARN } = env();
const logger = createLogger();

const authorize = keyAuthorizer({
  tenants: dynamoTenantStore(dynamoClient(), TENANT_TABLE),
  keyring: keyringSecret(KEYRING_SECRET_ARN),
  now: () => Date.now(),
});

/** Always lets the request through, with a verdict: only the api can answer a refusal as a proper problem. */
export const handler = middy<
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerWithContextResult<Verdict>
>().handler(async (event) => {
  const context = await authorize({
    key: event.headers?.['x-api-key'],
    sourceIp: event.requestContext.http.sourceIp,
  });
  if (context.verdict !== 'allowed') logger.warn('request refused', { verdict: context.verdict });
  return { isAuthorized: true, context };
});
