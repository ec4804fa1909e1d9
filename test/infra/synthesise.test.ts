import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ROOMS } from '../../lib/bundle.ts';
import { EmailGatewayStack } from '../../lib/email-gateway-stack.ts';
import { synthesise } from '../../lib/synthesise.ts';
import { aConfig, TemplateUnderTest } from './template.ts';

describe('synthesise', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'synthesise-test-'));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true });
  });

  it('writes the assembly to the folder it is given', () => {
    synthesise(aConfig({ stage: 'local' }), directory);
    expect(existsSync(join(directory, 'EmailGateway-local.template.json'))).toBe(true);
  });

  it('leaves nothing in the temporary folder when it is given none', () => {
    vi.stubEnv('TMPDIR', directory);
    synthesise(aConfig());
    expect(readdirSync(directory)).toEqual([]);
  });

  it('leaves nothing in the temporary folder when it is given another', () => {
    vi.stubEnv('TMPDIR', directory);
    const outdir = join(directory, 'assembly');
    synthesise(aConfig(), outdir);
    expect(readdirSync(directory)).toEqual(['assembly']);
  });

  it.each(ROOMS.map((room) => [room]))('tells where the code of the %s is', (room) => {
    const { template, assetPath } = synthesise(aConfig());
    const [id] = Object.entries(template.Resources).find(
      ([, resource]) => resource.Properties?.Environment?.Variables.POWERTOOLS_SERVICE_NAME === room,
    )!;
    expect(readdirSync(assetPath(id)).sort()).toEqual(['index.mjs', 'index.mjs.map']);
  });

  it('refuses to guess the code of what is no function', () => {
    const { assetPath } = synthesise(aConfig());
    expect(() => assetPath('EmailTable')).toThrow('EmailTable is no Lambda function');
  });
});

describe('the stack', () => {
  it('publishes what the ops tools and the local runner look for', () => {
    expect(Object.keys(new TemplateUnderTest().template.Outputs).sort()).toEqual([
      'ApiUrl',
      'BodyBucketName',
      'BulkQueueUrl',
      'ConfigurationSetName',
      'DeadLetterQueueUrl',
      'EmailTableName',
      'ExpressQueueUrl',
      'FeedbackFailuresQueueUrl',
      'KeyringSecretArn',
      'RelayFailuresQueueUrl',
      'TenantTableName',
    ]);
  });

  it.each([
    ['prod', true],
    ['dev', false],
  ])('on stage %s is protected from deletion: %s', (stage, terminationProtection) => {
    const config = aConfig({ stage, defaultFrom: 'mail@acme.com' });
    expect(new EmailGatewayStack(new App(), config)).toMatchObject({
      stackName: `EmailGateway-${stage}`,
      terminationProtection,
    });
  });
});
