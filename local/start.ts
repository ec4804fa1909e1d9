import { join } from 'node:path';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readConfig, type DeployConfig } from '../lib/config.ts';
import { synthesise } from '../lib/synthesise.ts';
import { dynamoTenantStore } from '../shared/adapters/dynamo-tenant-store.ts';
import { keyringSecret } from '../shared/adapters/keyring-secret.ts';
import { systemClock, type Clock } from './clock.ts';
import { lockDataDir } from './data-dir.ts';
import { startTtlSweeper } from './dynamodb/ttl-sweeper.ts';
import { createResources, startServices, type EmulatedServices } from './emulated-services.ts';
import { startEventSourceMappings } from './event-sources/event-source-mappings.ts';
import { EventRules } from './event-sources/event-rules.ts';
import { openHttpFront } from './http/http-front.ts';
import { httpApi } from './http/http-api.ts';
import { AsyncInvoker } from './lambda/async-invoker.ts';
import { asyncSettings } from './lambda/async-settings.ts';
import type { Endpoints } from './lambda/environment.ts';
import { LambdaHost } from './lambda/lambda-host.ts';
import { queueSender } from './queues.ts';
import {
  clearReadyFile,
  connectionFile,
  writeReadyFile,
  type ConnectionInfo,
  type ReadyInfo,
} from './ready-file.ts';
import { seed } from './seed.ts';
import { clientConfig } from './template/cloudformation.ts';
import { Stack } from './template/stack.ts';

export interface LocalOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly dataDir: string;
  /** Is there while the gateway serves. */
  readonly readyFile?: string | undefined;
  /** @default the stage `local` */
  readonly config?: DeployConfig;
  readonly clock?: Clock;
  /** Lets a test stand between the functions and the services they call. */
  readonly endpointsForFunctions?: (endpoints: Endpoints) => Promise<Endpoints>;
  readonly verbose?: boolean;
  readonly onProgress?: (step: string) => void;
}

export interface LocalGateway {
  readonly ready: ReadyInfo;
  readonly stack: Stack;
  readonly host: LambdaHost;
  readonly rules: EventRules;
  readonly services: EmulatedServices;
  close(): Promise<void>;
}

/** How long a stop waits for requests and invocations under way. */
const GRACE_MS = 5_000;

/** The whole gateway on this machine, built from the synthesised template. */
export async function startLocal(options: LocalOptions): Promise<LocalGateway> {
  const { dataDir, clock = systemClock, onProgress = () => {} } = options;
  // Undone in reverse, on a stop as on a failed start.
  const closers: Array<() => unknown> = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    closers.push(lockDataDir(dataDir));
    const forOps = connectionFile(dataDir);
    clearReadyFile(forOps);
    const front = await openHttpFront(options.port);
    closers.push(() => front.close(0));
    // Only now that the data dir is ours: until then the file may belong to a gateway that serves.
    if (options.readyFile !== undefined) clearReadyFile(options.readyFile);

    onProgress('Synthesising the stack and bundling its functions');
    const config =
      options.config ?? readConfig((key) => (key === 'emailGateway' ? { stage: 'local' } : undefined));
    const { template, assetPath } = synthesise(config, join(dataDir, 'cdk.out'));
    const stack = new Stack(template);
    for (const { id } of stack.ofType('AWS::ApiGatewayV2::Api')) {
      stack.learn(id, { attributes: { ApiEndpoint: front.url } });
    }

    onProgress('Starting DynamoDB, SQS, SES, S3 and Secrets Manager');
    let rules: EventRules | undefined;
    const services = await startServices(dataDir, clock, (event) => rules?.publish(event));
    closers.push(() => services.close());
    const { endpoints, sqsClient: sqs, dynamoClient } = services;

    onProgress(`Creating tables (in ${services.dynamoDb.engine}), queues and buckets`);
    const tables = await createResources(stack, services);
    closers.push(startTtlSweeper(dynamoClient, tables, clock));

    onProgress('Starting functions and their event sources');
    const logDir = join(dataDir, 'logs');
    const verbose = options.verbose ?? false;
    const seenByFunctions = (await options.endpointsForFunctions?.(endpoints)) ?? endpoints;
    const host = new LambdaHost(stack, { assetPath, endpoints: seenByFunctions, logDir, clock, verbose });
    const sendToQueue = queueSender(stack, sqs);
    const asyncPath = join(dataDir, 'async-invocations.journal');
    const invoker = new AsyncInvoker(asyncPath, host, asyncSettings(stack), sendToQueue, clock);
    rules = new EventRules(stack, invoker, clock);
    const listener = httpApi(stack, host, clock);
    let stopMappings = () => Promise.resolve();
    closers.push(async () => {
      await front.close(GRACE_MS);
      rules?.stopSchedules();
      // Event sources take nothing more, while functions finish what they have.
      await Promise.all([stopMappings(), invoker.close(), host.close(GRACE_MS)]);
    });
    host.warm();
    stopMappings = await startEventSourceMappings(stack, {
      host,
      sqs,
      endpoints,
      dataDir,
      clock,
      sendToQueue,
    });
    invoker.resume();
    rules.startSchedules();

    onProgress('Seeding the companies demo and other');
    const tenantTable = stack.output('TenantTableName') ?? '';
    const keyring = keyringSecret(
      stack.output('KeyringSecretArn') ?? '',
      new SecretsManagerClient(clientConfig(endpoints.secrets)),
    );
    const seeded = await seed({
      tenants: dynamoTenantStore(DynamoDBDocumentClient.from(dynamoClient), tenantTable),
      keyring: await keyring(),
      path: join(dataDir, 'seed.json'),
      now: clock.now(),
    });

    front.serve(listener);
    const ready: ReadyInfo = {
      apiUrl: front.url,
      consoleUrl: null,
      ...seeded,
      endpoints: { dynamodb: endpoints.dynamodb, sqs: endpoints.sqs, ses: endpoints.ses, s3: endpoints.s3 },
      resources: {
        emailTable: stack.output('EmailTableName'),
        tenantTable,
        mailingTable: stack.output('MailingTableName'),
        expressQueueUrl: stack.output('ExpressQueueUrl'),
        bulkQueueUrl: stack.output('BulkQueueUrl'),
        deadLetterQueueUrl: stack.output('DeadLetterQueueUrl'),
      },
    };
    const outputs = Object.fromEntries(
      Object.keys(template.Outputs ?? {}).map((name) => [name, stack.output(name) ?? '']),
    );
    if (options.readyFile !== undefined) closers.push(writeReadyFile(options.readyFile, ready));
    // After the other, which may be the same file: this one says more. It holds clear keys.
    const connection: ConnectionInfo = { ...ready, endpoints, outputs };
    closers.push(writeReadyFile(forOps, connection, 0o600));
    return { ready, stack, host, rules, services, close };
  } catch (error) {
    await close();
    throw error;
  }
}
