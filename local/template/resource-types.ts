import type { Template } from './cloudformation.ts';

/** Resource types that become something real on this machine. */
const BUILT = new Set([
  'AWS::DynamoDB::Table',
  'AWS::DynamoDB::GlobalTable',
  'AWS::SQS::Queue',
  'AWS::S3::Bucket',
  'AWS::SecretsManager::Secret',
  'AWS::SES::ConfigurationSet',
  'AWS::SES::ConfigurationSetEventDestination',
  'AWS::Lambda::Function',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Events::Rule',
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Authorizer',
]);

/** Resource types that change nothing about how mail flows on one machine: permissions, logs, alarms, keys. */
const NOTHING_TO_DO = new Set([
  'AWS::ApiGatewayV2::Stage',
  'AWS::ApplicationAutoScaling::ScalableTarget',
  'AWS::ApplicationAutoScaling::ScalingPolicy',
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Alias',
  'AWS::KMS::Key',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::ResourcePolicy',
  'AWS::S3::BucketPolicy',
  'AWS::SES::EmailIdentity',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
]);

/** A type nobody thought of must not be left out silently: the wiring would differ from AWS. */
export function assertEveryTypeIsKnown(template: Template): void {
  for (const [id, { Type }] of Object.entries(template.Resources)) {
    if (!BUILT.has(Type) && !NOTHING_TO_DO.has(Type)) {
      throw new Error(`The local runner does not know the resource type ${Type} (of "${id}").`);
    }
  }
}
