import { Duration } from 'aws-cdk-lib';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { DeployConfig } from './config.ts';
import type { EmailTable } from './email-table.ts';
import { FailureQueue } from './failure-queue.ts';
import type { MailQueues } from './mail-queues.ts';
import { RoomFunction } from './room-function.ts';

export interface RelayProps {
  readonly config: DeployConfig;
  readonly emails: EmailTable;
  readonly queues: MailQueues;
}

/** Carries each new mail from the outbox's stream to its queue. */
export class Relay extends Construct {
  /** Where in the stream a batch was given up. The sweeper enqueues those mails; this is for the operator. */
  readonly failures: FailureQueue;

  constructor(scope: Construct, id: string, { config, emails, queues }: RelayProps) {
    super(scope, id);
    this.failures = new FailureQueue(this, 'Failures');
    const room = new RoomFunction(this, 'relay', {
      config,
      timeout: Duration.seconds(30),
      memorySize: 512,
      environment: {
        EXPRESS_QUEUE_URL: queues.express.queueUrl,
        BULK_QUEUE_URL: queues.bulk.queueUrl,
      },
    });
    room.allow(
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
      emails.streamArn,
    );
    room.allow(['sqs:SendMessage'], queues.express.queueArn, queues.bulk.queueArn, this.failures.queueArn);
    new EventSourceMapping(this, 'Stream', {
      target: room.function,
      eventSourceArn: emails.streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      parallelizationFactor: 10,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: {
            NewImage: {
              kind: { S: FilterRule.isEqual('EMAIL') },
              status: { S: FilterRule.isEqual('PENDING') },
            },
          },
        }),
      ],
      reportBatchItemFailures: true,
      // A stream stands still behind a batch that fails: split it, then give up well before the 24 hours
      // after which DynamoDB drops the records unseen.
      bisectBatchOnError: true,
      retryAttempts: 10,
      maxRecordAge: Duration.hours(12),
      onFailure: { bind: () => ({ destination: this.failures.queueArn }) },
    });
  }
}
