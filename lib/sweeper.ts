import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { DeployConfig } from './config.ts';
import type { EmailTable } from './email-table.ts';
import type { MailQueues } from './mail-queues.ts';
import { RoomFunction } from './room-function.ts';

export interface SweeperProps {
  readonly config: DeployConfig;
  readonly emails: EmailTable;
  readonly queues: MailQueues;
}

/** Every minute: enqueues mails that are due, and those that should have moved on by now and have not. */
export class Sweeper extends Construct {
  constructor(scope: Construct, id: string, { config, emails, queues }: SweeperProps) {
    super(scope, id);
    const room = new RoomFunction(this, 'sweeper', {
      config,
      timeout: Duration.seconds(50),
      memorySize: 512,
      environment: {
        EMAIL_TABLE: emails.table.tableName,
        EXPRESS_QUEUE_URL: queues.express.queueUrl,
        BULK_QUEUE_URL: queues.bulk.queueUrl,
        SENT_RETENTION_DAYS: String(config.sentRetentionDays),
      },
    });
    room.allow(['dynamodb:Query'], emails.worksetArn);
    room.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], emails.table.tableArn);
    room.allow(['sqs:SendMessage'], queues.express.queueArn, queues.bulk.queueArn);
    room.allow(['sqs:GetQueueAttributes'], queues.express.queueArn, queues.bulk.queueArn);
    // A failed run is not repeated: the next minute is the retry. EventBridge invokes Lambda
    // asynchronously, so both of them would otherwise retry on their own.
    room.function.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(room.function, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    for (const rule of ['Serverless-EventBusDLQ', 'Serverless-LambdaAsyncFailureDestination']) {
      Validations.of(this).acknowledge({
        id: rule,
        reason: 'A failed run leaves nothing to keep: the next one, a minute later, finds the same work.',
      });
    }
  }
}
