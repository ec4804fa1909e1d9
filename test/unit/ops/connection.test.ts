import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, connectToStack } from '../../../ops/connection.ts';
import { OpsError } from '../../../ops/errors.ts';

const target = { kind: 'stack', name: 'EmailGateway-prod', region: 'sa-east-1', profile: 'ops' } as const;
const OUTPUTS = {
  TenantTableName: 'tenants-x',
  KeyringSecretArn: 'arn:aws:secretsmanager:sa-east-1:1:secret:k',
};

function stackWith(outputs: Record<string, string>) {
  const client = new CloudFormationClient({ region: 'sa-east-1' });
  const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  mockClient(client)
    .on(DescribeStacksCommand, { StackName: target.name })
    .resolves({
      Stacks: [
        { StackName: target.name, CreationTime: new Date(0), StackStatus: 'CREATE_COMPLETE', Outputs },
      ],
    });
  return client;
}

function refusing(error: Error) {
  const client = new CloudFormationClient({ region: 'sa-east-1' });
  mockClient(client).on(DescribeStacksCommand).rejects(error);
  return client;
}

describe('a deployed gateway', () => {
  it("is found by its stack's outputs, and reached in its region with the profile", async () => {
    const connection = await connectToStack(target, stackWith(OUTPUTS));
    expect(connection.output('TenantTableName')).toBe('tenants-x');
    expect(connection.clientConfig('sqs')).toEqual({ region: 'sa-east-1', profile: 'ops' });
    expect(await connection.dynamo.config.region()).toBe('sa-east-1');
  });

  it('leaves to the AWS configuration what is not given', async () => {
    const unsaid = { ...target, region: undefined, profile: undefined };
    expect((await connectToStack(unsaid, stackWith(OUTPUTS))).clientConfig('sqs')).toEqual({});
  });

  it('that is another stack is told apart', async () => {
    await expect(connectToStack(target, stackWith({ Something: 'else' }))).rejects.toThrow(
      new OpsError(
        'The stack EmailGateway-prod has no output TenantTableName: it is no Email Gateway, or an older one.',
      ),
    );
  });

  it.each([
    [
      'ValidationError',
      'Stack with id EmailGateway-prod does not exist',
      'There is no stack EmailGateway-prod',
    ],
    ['Error', 'Region is missing', 'No AWS region is configured'],
  ])('that cannot be asked is explained: %s %s', async (name, message, explanation) => {
    const asking = connectToStack(target, refusing(Object.assign(new Error(message), { name })));
    await expect(asking).rejects.toBeInstanceOf(OpsError);
    await expect(asking).rejects.toThrow(explanation);
  });

  it('keeps any other refusal as it is', async () => {
    const denied = Object.assign(new Error('not authorized'), { name: 'AccessDenied', $metadata: {} });
    await expect(connectToStack(target, refusing(denied))).rejects.toBe(denied);
  });
});

describe('a gateway on this machine', () => {
  let dataDir = '';
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'email-gateway-ops-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('that was never started is not running', async () => {
    await expect(connect({ kind: 'local', dataDir: join(dataDir, 'none') })).rejects.toThrow(
      new OpsError(`No gateway is running in ${join(dataDir, 'none')}: start it with \`npm start\`.`),
    );
  });

  it('that was killed is not running either, though its file is there', async () => {
    // Port 1 is nobody's.
    const endpoints = { dynamodb: 'http://127.0.0.1:1' };
    writeFileSync(join(dataDir, 'ready.json'), JSON.stringify({ endpoints, outputs: OUTPUTS }));
    await expect(connect({ kind: 'local', dataDir })).rejects.toThrow('No gateway is running in');
  });

  it('asks for --stack if nobody said which gateway and none is running here', async () => {
    await expect(connect({ kind: 'nearest', dataDir })).rejects.toThrow('--stack NAME');
  });
});
