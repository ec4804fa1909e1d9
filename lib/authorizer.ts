import { Duration } from 'aws-cdk-lib';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { DeployConfig } from './config.ts';
import type { KeyringSecret } from './keyring-secret.ts';
import { RoomFunction } from './room-function.ts';
import type { TenantTable } from './tenant-table.ts';

export interface AuthorizerProps {
  readonly config: DeployConfig;
  readonly tenants: TenantTable;
  readonly keyring: KeyringSecret;
}

/** Who is calling: turns an API key into a verdict that the api acts on. */
export class Authorizer extends Construct {
  readonly function: Function;

  constructor(scope: Construct, id: string, { config, tenants, keyring }: AuthorizerProps) {
    super(scope, id);
    const room = new RoomFunction(this, 'authorizer', {
      config,
      timeout: Duration.seconds(5),
      memorySize: 512,
      environment: {
        TENANT_TABLE: tenants.table.tableName,
        KEYRING_SECRET_ARN: keyring.secret.secretArn,
      },
    });
    room.allow(['dynamodb:GetItem'], tenants.table.tableArn);
    room.allow(['secretsmanager:GetSecretValue'], keyring.secret.secretArn);
    this.function = room.function;
  }
}
