import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { bundleFor, type Room } from './bundle.ts';
import type { DeployConfig } from './config.ts';

export interface RoomFunctionProps {
  readonly config: DeployConfig;
  readonly timeout: Duration;
  /** In MB. Lambda gives CPU in proportion. */
  readonly memorySize: number;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * What every Lambda function of the gateway has in common: its own role without managed policies, its
 * own log group, tracing, and the room's bundle.
 */
export class RoomFunction extends Construct {
  readonly function: Function;
  private readonly role: Role;

  constructor(scope: Construct, room: Room, props: RoomFunctionProps) {
    super(scope, 'Room');
    const logGroup = new LogGroup(this, 'Logs', {
      retention: props.config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn);
    this.function = new Function(this, 'Function', {
      description: `Email Gateway (${props.config.stage}): ${room}`,
      code: Code.fromAsset(bundleFor(room)),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      role: this.role,
      logGroup,
      tracing: Tracing.ACTIVE,
      timeout: props.timeout,
      memorySize: props.memorySize,
      environment: {
        LOG_LEVEL: props.config.logLevel,
        POWERTOOLS_SERVICE_NAME: room,
        NODE_OPTIONS: '--enable-source-maps',
        ...props.environment,
      },
    });
    Validations.of(this.function).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason:
        'A dead letter target is for asynchronous events: the sweeper runs again anyway, the feedback has a failure destination.',
    });
    Validations.of(this.role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'X-Ray has no resources to name: PutTraceSegments and PutTelemetryRecords need *, as does ses:GetAccount.',
    });
  }

  allow(actions: string[], ...resources: string[]): void {
    this.role.addToPolicy(new PolicyStatement({ actions, resources }));
  }

  /** Accepts one wildcard, as cdk-nag prints it, with the reason for it. */
  acknowledgeWildcard(resource: string, reason: string): void {
    Validations.of(this.role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
  }
}
