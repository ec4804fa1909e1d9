import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Construct } from 'constructs';
import type { DeployConfig } from './config.ts';
import type { EmailTable } from './email-table.ts';
import { FailureQueue } from './failure-queue.ts';
import type { Mailer } from './mailer.ts';
import { RoomFunction } from './room-function.ts';
import type { TenantTable } from './tenant-table.ts';

export interface FeedbackProps {
  readonly config: DeployConfig;
  readonly emails: EmailTable;
  readonly tenants: TenantTable;
  readonly mailer: Mailer;
}

/** Hears from SES what became of a mail, and writes it on the mail's timeline. */
export class Feedback extends Construct {
  /** Events that could not be applied. The mails are as they were; this is for the operator. */
  readonly failures: FailureQueue;

  constructor(scope: Construct, id: string, { config, emails, tenants, mailer }: FeedbackProps) {
    super(scope, id);
    this.failures = new FailureQueue(this, 'Failures');
    const room = new RoomFunction(this, 'feedback', {
      config,
      timeout: Duration.seconds(30),
      memorySize: 512,
      environment: {
        EMAIL_TABLE: emails.table.tableName,
        TENANT_TABLE: tenants.table.tableName,
        SENT_RETENTION_DAYS: String(config.sentRetentionDays),
      },
    });
    room.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], emails.table.tableArn);
    room.allow(['dynamodb:PutItem'], tenants.table.tableArn);
    room.function.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: Duration.hours(6),
      onFailure: new SqsDestination(this.failures),
    });
    new Rule(this, 'SesEvents', {
      eventPattern: {
        source: ['aws.ses'],
        detail: { mail: { tags: { 'ses:configuration-set': [mailer.configurationSetName] } } },
      },
      targets: [
        new LambdaFunction(room.function, { deadLetterQueue: this.failures, maxEventAge: Duration.hours(6) }),
      ],
    });
  }
}
