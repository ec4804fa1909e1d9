import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import type { DeployConfig } from './config.ts';
import { EmailGatewayStack } from './email-gateway-stack.ts';

export interface CloudFormationResource {
  readonly Type: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the shape depends on the type
  readonly Properties: any;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

export interface CloudFormationTemplate {
  readonly Resources: Readonly<Record<string, CloudFormationResource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

export interface SynthesisedStack {
  readonly template: CloudFormationTemplate;
  /** The local folder with the code of a Lambda function. */
  assetPath(functionLogicalId: string): string;
}

/** Synthesises the stack in this process. The assembly is written to `outdir`, or thrown away. */
export function synthesise(config: DeployConfig, outdir?: string): SynthesisedStack {
  const directory = outdir ?? mkdtempSync(join(tmpdir(), 'email-gateway-synth-'));
  try {
    const app = new App({
      outdir: directory,
      analyticsReporting: false,
      treeMetadata: false,
      // `cdk synth` and the tests validate the template; it takes longer than all the rest.
      builtinCloudFormationValidation: false,
      context: {
        'aws:cdk:enable-asset-metadata': true,
        // Functions are read from their bundles, not from copies in the assembly.
        'aws:cdk:disable-asset-staging': true,
      },
    });
    const stack = new EmailGatewayStack(app, config);
    const template = app.synth().getStackArtifact(stack.artifactId).template as CloudFormationTemplate;
    return { template, assetPath: (logicalId) => resolve(directory, assetPathOf(template, logicalId)) };
  } finally {
    if (outdir === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

function assetPathOf(template: CloudFormationTemplate, logicalId: string): string {
  const path = template.Resources[logicalId]?.Metadata?.['aws:asset:path'];
  if (typeof path !== 'string') throw new Error(`${logicalId} is no Lambda function of this template`);
  return path;
}
