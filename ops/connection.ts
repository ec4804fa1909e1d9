import { resolve } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Endpoints } from '../local/lambda/environment.ts';
import { readConnectionFile, type ConnectionInfo } from '../local/ready-file.ts';
import { clientConfig } from '../local/template/cloudformation.ts';
import { dynamoTenantStore } from '../shared/adapters/dynamo-tenant-store.ts';
import { keyringSecret } from '../shared/adapters/keyring-secret.ts';
import type { Keyring } from '../shared/domain/keyring.ts';
import type { TenantStore } from '../shared/ports/tenant-store.ts';
import { OpsError } from './errors.ts';
import type { Target } from './shared-options.ts';

/** One gateway, in AWS or on this machine: what it is made of and how to reach it. */
export interface Connection {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tenants: TenantStore;
  readonly keyring: () => Promise<Keyring>;
  /** A stack output, such as `DeadLetterQueueUrl`. */
  output(name: string): string;
  /** For the client of any other service. */
  clientConfig(service: keyof Endpoints): ClientConfig;
}

export type ClientConfig = ReturnType<typeof clientConfig> | { region?: string; profile?: string };

type StackTarget = Extract<Target, { kind: 'stack' }>;

export async function connect(target: Target): Promise<Connection> {
  switch (target.kind) {
    case 'stack':
      return connectToStack(target, new CloudFormationClient(awsConfig(target)));
    case 'local':
      return connectToLocal(target.dataDir);
    case 'nearest': {
      const info = await runningIn(target.dataDir);
      if (info) return localConnection(info);
      throw new OpsError(
        `No gateway is running in ${target.dataDir}: start one with \`npm start\`, or name a deployed one with --stack NAME.`,
      );
    }
  }
}

async function connectToLocal(dataDir: string): Promise<Connection> {
  const info = await runningIn(dataDir);
  if (info) return localConnection(info);
  throw new OpsError(`No gateway is running in ${resolve(dataDir)}: start it with \`npm start\`.`);
}

/** A gateway that was killed leaves its file behind, so one is believed only if something answers there. */
async function runningIn(dataDir: string): Promise<ConnectionInfo | undefined> {
  const info = readConnectionFile(dataDir);
  if (!info) return undefined;
  try {
    const answer = await fetch(info.endpoints.dynamodb);
    await answer.body?.cancel();
    return info;
  } catch {
    return undefined;
  }
}

function localConnection({ endpoints, outputs }: ConnectionInfo): Connection {
  return connection(outputs, 'The local gateway', (service) => clientConfig(endpoints[service]));
}

export async function connectToStack(
  target: StackTarget,
  cloudFormation: CloudFormationClient,
): Promise<Connection> {
  const outputs = await stackOutputs(cloudFormation, target.name);
  return connection(outputs, `The stack ${target.name}`, () => awsConfig(target));
}

function awsConfig({ region, profile }: StackTarget): { region?: string; profile?: string } {
  return { ...(region !== undefined && { region }), ...(profile !== undefined && { profile }) };
}

async function stackOutputs(client: CloudFormationClient, name: string): Promise<Record<string, string>> {
  const { Stacks = [] } = await client
    .send(new DescribeStacksCommand({ StackName: name }))
    .catch((error: unknown) => {
      throw explained(error, name);
    });
  const outputs = Stacks[0]?.Outputs ?? [];
  return Object.fromEntries(
    outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue] as const),
  );
}

function explained(error: unknown, stack: string): unknown {
  if (!(error instanceof Error)) return error;
  // CloudFormation has no error of its own for a stack that is not there.
  if (error.name === 'ValidationError' && error.message.includes('does not exist')) {
    return new OpsError(`There is no stack ${stack} in this account and region; --region chooses another.`);
  }
  if (error.message === 'Region is missing') {
    return new OpsError('No AWS region is configured: name it with --region.');
  }
  return error;
}

function connection(
  outputs: Readonly<Record<string, string>>,
  where: string,
  configFor: (service: keyof Endpoints) => ClientConfig,
): Connection {
  const output = (name: string) => {
    const value = outputs[name];
    if (value === undefined)
      throw new OpsError(`${where} has no output ${name}: it is no Email Gateway, or an older one.`);
    return value;
  };
  const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient(configFor('dynamodb')), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return {
    dynamo,
    tenants: dynamoTenantStore(dynamo, output('TenantTableName')),
    keyring: () =>
      keyringSecret(output('KeyringSecretArn'), new SecretsManagerClient(configFor('secrets')))(),
    output,
    clientConfig: configFor,
  };
}
