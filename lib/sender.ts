import { Duration, Validations } from 'aws-cdk-lib';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { BodyBucket } from './body-bucket.ts';
import type { DeployConfig } from './config.ts';
import type { EmailTable } from './email-table.ts';
import type { MailQueues } from './mail-queues.ts';
import type { Mailer } from './mailer.ts';
import { RoomFunction } from './room-function.ts';
import type { TenantTable } from './tenant-table.ts';

export interface SenderProps {
  readonly config: DeployConfig;
  readonly emails: EmailTable;
  readonly tenants: TenantTable;
  readonly bodies: BodyBucket;
  readonly queues: MailQueues;
  readonly mailer: Mailer;
}

/** Validates queued mails and hands them to SES. */
export class Sender extends Construct {
  private readonly room: RoomFunction;

  constructor(
    scope: Construct,
    id: string,
    { config, emails, tenants, bodies, queues, mailer }: SenderProps,
  ) {
    super(scope, id);
    this.room = new RoomFunction(this, 'sender', {
      config,
      timeout: Duration.seconds(60),
      memorySize: 512,
      environment: {
        EMAIL_TABLE: emails.table.tableName,
        TENANT_TABLE: tenants.table.tableName,
        BODY_BUCKET: bodies.bucket.bucketName,
        CONFIGURATION_SET: mailer.configurationSetName,
        DEFAULT_FROM: config.defaultFrom,
        EXPRESS_QUEUE_URL: queues.express.queueUrl,
        BULK_QUEUE_URL: queues.bulk.queueUrl,
        BACKOFF_CURVE: config.backoffCurve,
        SENT_RETENTION_DAYS: String(config.sentRetentionDays),
        // Each running sender takes an equal share of the account's SES sending rate.
        SENDER_CONCURRENCY: String(config.expressConcurrency + config.bulkConcurrency),
      },
    });
    this.room.allow(
      ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
      emails.table.tableArn,
      tenants.table.tableArn,
    );
    this.room.allow(['s3:GetObject', 's3:PutObject'], bodies.objectArns);
    this.room.allow(['ses:SendEmail'], mailer.configurationSetArn, mailer.identityArns);
    this.room.allow(['ses:GetAccount'], '*');
    this.room.acknowledgeWildcard(bodies.objectArnsFinding, 'Object keys are made per mail.');
    this.room.acknowledgeWildcard(
      'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*',
      'Each company sends from an address of its own, verified after this stack was deployed.',
    );
    this.consume('ExpressMails', queues.express, config.expressConcurrency);
    this.consume('BulkMails', queues.bulk, config.bulkConcurrency);
  }

  private consume(id: string, queue: Queue, maxConcurrency: number): void {
    this.room.allow(
      [
        'sqs:ReceiveMessage',
        'sqs:DeleteMessage',
        'sqs:ChangeMessageVisibility',
        'sqs:GetQueueAttributes',
        'sqs:SendMessage',
      ],
      queue.queueArn,
    );
    const mapping = new EventSourceMapping(this, id, {
      target: this.room.function,
      eventSourceArn: queue.queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      // Not reserved concurrency: an invocation throttled by that costs the mail one of its receives.
      maxConcurrency,
    });
    Validations.of(mapping).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason: 'SQS sources have no destination: the redrive policy of the queue takes its place.',
    });
  }
}
