import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Clock } from './clock.ts';
import { startDynamoDb, type DynamoDb } from './dynamodb/engine.ts';
import { ensureTable, tableDefinition, type TableDefinition } from './dynamodb/tables.ts';
import { startS3, type S3Emulator } from './emulators/s3/server.ts';
import { startSecrets, type SecretsEmulator } from './emulators/secrets/server.ts';
import { startSes, type SesEmulator } from './emulators/ses/server.ts';
import { startSqs, type SqsEmulator } from './emulators/sqs/server.ts';
import { generateSecret, type GenerateSecretString } from './generated-secret.ts';
import type { Endpoints } from './lambda/environment.ts';
import { ensureQueues } from './queues.ts';
import { clientConfig } from './template/cloudformation.ts';
import type { Stack } from './template/stack.ts';

/** The AWS services of this machine, and clients for those that the runner itself uses. */
export interface EmulatedServices {
  readonly endpoints: Endpoints;
  readonly dynamoDb: DynamoDb;
  readonly dynamoClient: DynamoDBClient;
  readonly sqsClient: SQSClient;
  readonly ses: SesEmulator;
  readonly s3: S3Emulator;
  readonly secrets: SecretsEmulator;
  close(): Promise<void>;
}

/** Far above SES's first quota: a laptop is there to try things out, not to wait for its turn. */
const SEND_QUOTA = { max24HourSend: 1_000_000, maxSendRate: 3_000 };

export async function startServices(
  dataDir: string,
  clock: Clock,
  onSesEvent: (event: unknown) => void,
): Promise<EmulatedServices> {
  const starting = {
    dynamoDb: startDynamoDb({ dataDir }),
    sqs: startSqs({ dataDir: join(dataDir, 'sqs'), clock }),
    ses: startSes({ dataDir: join(dataDir, 'ses'), clock, sendQuota: SEND_QUOTA, onEvent: onSesEvent }),
    s3: startS3({ dataDir: join(dataDir, 's3'), clock }),
    secrets: startSecrets({ dataDir: join(dataDir, 'secrets') }),
  };
  try {
    const [dynamoDb, sqs, ses, s3, secrets] = await Promise.all([
      starting.dynamoDb,
      starting.sqs,
      starting.ses,
      starting.s3,
      starting.secrets,
    ]);
    return running({ dynamoDb, sqs, ses, s3, secrets });
  } catch (error) {
    // One that failed must not leave the others behind.
    for (const each of await Promise.allSettled(Object.values(starting))) {
      if (each.status === 'fulfilled') await each.value.close();
    }
    throw error;
  }
}

function running(services: {
  dynamoDb: DynamoDb;
  sqs: SqsEmulator;
  ses: SesEmulator;
  s3: S3Emulator;
  secrets: SecretsEmulator;
}): EmulatedServices {
  const { dynamoDb, sqs, ses, s3, secrets } = services;
  const dynamoClient = new DynamoDBClient(clientConfig(dynamoDb.url));
  const sqsClient = new SQSClient(clientConfig(sqs.url));
  return {
    ...services,
    dynamoClient,
    sqsClient,
    endpoints: { dynamodb: dynamoDb.url, sqs: sqs.url, ses: ses.url, s3: s3.url, secrets: secrets.url },
    close: async () => {
      dynamoClient.destroy();
      sqsClient.destroy();
      await Promise.all([sqs.close(), ses.close(), s3.close(), secrets.close()]);
      await dynamoDb.close();
    },
  };
}

/** Creates what the template asks for and is not there yet, and tells the stack what became known by it. */
export async function createResources(stack: Stack, services: EmulatedServices): Promise<TableDefinition[]> {
  await ensureQueues(stack, services.sqsClient);
  for (const { id } of stack.ofType('AWS::S3::Bucket')) await services.s3.createBucket(stack.ref(id));
  for (const { id } of stack.ofType('AWS::SES::ConfigurationSet')) {
    services.ses.addConfigurationSet(stack.ref(id), publishedEvents(stack, stack.ref(id)));
  }
  for (const secret of stack.ofType('AWS::SecretsManager::Secret')) {
    const rules = (secret.properties()['GenerateSecretString'] ?? {}) as GenerateSecretString;
    const arn = await services.secrets.ensureSecret(secret.id, () => generateSecret(rules));
    stack.learn(secret.id, { ref: arn, attributes: { Id: arn } });
  }
  const tables: TableDefinition[] = [];
  for (const resource of stack.ofType('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable')) {
    const table = tableDefinition(stack.ref(resource.id), resource);
    const streamArn = await ensureTable(services.dynamoClient, table);
    if (streamArn !== undefined) stack.learn(resource.id, { attributes: { StreamArn: streamArn } });
    tables.push(table);
  }
  return tables;
}

/** The event types that the configuration set's enabled destinations send to EventBridge. */
function publishedEvents(stack: Stack, configurationSet: string): string[] {
  return stack.ofType('AWS::SES::ConfigurationSetEventDestination').flatMap((resource) => {
    const { ConfigurationSetName, EventDestination } = resource.properties() as {
      ConfigurationSetName: string;
      EventDestination: { Enabled?: boolean; MatchingEventTypes: string[]; EventBridgeDestination?: object };
    };
    const toEventBridge = EventDestination.Enabled !== false && EventDestination.EventBridgeDestination;
    return ConfigurationSetName === configurationSet && toEventBridge
      ? EventDestination.MatchingEventTypes
      : [];
  });
}
