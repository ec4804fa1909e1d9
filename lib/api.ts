import { Duration } from 'aws-cdk-lib';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { BodyBucket } from './body-bucket.ts';
import type { DeployConfig } from './config.ts';
import type { EmailTable } from './email-table.ts';
import type { KeyringSecret } from './keyring-secret.ts';
import { RoomFunction } from './room-function.ts';

export interface ApiProps {
  readonly config: DeployConfig;
  readonly emails: EmailTable;
  readonly bodies: BodyBucket;
  readonly keyring: KeyringSecret;
}

/** Accepts mails into the outbox and answers questions about them. */
export class Api extends Construct {
  readonly function: Function;

  constructor(scope: Construct, id: string, { config, emails, bodies, keyring }: ApiProps) {
    super(scope, id);
    const room = new RoomFunction(this, 'api', {
      config,
      timeout: Duration.seconds(15),
      // Parsing and compressing 512 KB of HTML is the one piece of real computing in the gateway.
      memorySize: 1024,
      environment: {
        EMAIL_TABLE: emails.table.tableName,
        BODY_BUCKET: bodies.bucket.bucketName,
        KEYRING_SECRET_ARN: keyring.secret.secretArn,
        SENT_RETENTION_DAYS: String(config.sentRetentionDays),
      },
    });
    room.allow(['dynamodb:PutItem', 'dynamodb:GetItem', 'dynamodb:BatchGetItem'], emails.table.tableArn);
    room.allow(['dynamodb:Query'], emails.byCompanyArn);
    room.allow(['s3:PutObject'], bodies.objectArns);
    room.allow(['secretsmanager:GetSecretValue'], keyring.secret.secretArn);
    room.acknowledgeWildcard(bodies.objectArnsFinding, 'Object keys are made per mail.');
    this.function = room.function;
  }
}
