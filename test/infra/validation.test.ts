import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Fn, Validations } from 'aws-cdk-lib';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EmailGatewayStack } from '../../lib/email-gateway-stack.ts';
import { aConfig } from './template.ts';

interface ValidationReport {
  pluginReports: { violations: { ruleName: string; violatingConstructs: { constructPath: string }[] }[] }[];
}

const UNKNOWN_PROPERTY = 'F3002';
const WRONG_TYPE = 'F3012';
const DANGLING_REFERENCE = 'F1020';
const NO_TLS = 'AwsSolutions-SQS4';
const NO_DEAD_LETTERS = 'Serverless-SQSRedrivePolicy';

const EVERYTHING = aConfig({ stage: 'prod', defaultFrom: 'mail@acme.com', domain: 'acme.com' });

/**
 * What cdk-nag and the CloudFormation validator of the CDK (schemas, references, types: what cfn-lint
 * checks) find and nobody has acknowledged, as `rule path`.
 */
function findings(outdir: string, breakIt?: (stack: EmailGatewayStack) => void): string[] {
  const app = new App({ outdir, context: { 'aws:cdk:disable-asset-staging': true } });
  const stack = new EmailGatewayStack(app, EVERYTHING);
  breakIt?.(stack);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  try {
    app.synth();
  } catch (error) {
    if ((error as Error).name !== 'ValidationFailed') throw error;
  }
  const report = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')) as ValidationReport;
  return report.pluginReports.flatMap(({ violations }) =>
    violations.flatMap(({ ruleName, violatingConstructs }) =>
      violatingConstructs.map(({ constructPath }) => `${ruleName} ${constructPath}`),
    ),
  );
}

describe('the template', () => {
  let outdir: string;
  beforeEach(() => {
    outdir = mkdtempSync(join(tmpdir(), 'validation-test-'));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(outdir, { recursive: true });
  });

  it('has no unacknowledged finding', () => {
    expect(findings(outdir)).toEqual([]);
  });

  it('would show what is wrong with it', () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const shown = findings(outdir, (stack) => {
      const queue = new CfnQueue(stack, 'Broken', {
        kmsMasterKeyId: Fn.getAtt('NoSuchKey', 'Arn').toString(),
      });
      queue.addPropertyOverride('NoSuchProperty', 1);
      queue.addPropertyOverride('VisibilityTimeout', 'long');
    });
    const rules = shown.map((finding) => finding.replace(' EmailGateway-prod/Broken', ''));
    expect(rules).toEqual(
      expect.arrayContaining([UNKNOWN_PROPERTY, WRONG_TYPE, DANGLING_REFERENCE, NO_TLS, NO_DEAD_LETTERS]),
    );
  });
});
