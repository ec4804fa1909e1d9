import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Api } from './api.ts';
import { Authorizer } from './authorizer.ts';
import { BodyBucket } from './body-bucket.ts';
import type { DeployConfig } from './config.ts';
import { EmailTable } from './email-table.ts';
import { Feedback } from './feedback.ts';
import { GatewayHttpApi } from './http-api.ts';
import { KeyringSecret } from './keyring-secret.ts';
import { MailQueues } from './mail-queues.ts';
import { Mailer } from './mailer.ts';
import { Relay } from './relay.ts';
import { Sender } from './sender.ts';
import { Sweeper } from './sweeper.ts';
import { TenantTable } from './tenant-table.ts';

/** Reads top to bottom as a mail travels: what it is stored in, then each room it passes. */
export class EmailGatewayStack extends Stack {
  constructor(scope: Construct, config: DeployConfig) {
    super(scope, `EmailGateway-${config.stage}`, {
      description: `Email Gateway (${config.stage}): a multi-tenant transactional e-mail gateway`,
      terminationProtection: config.stage === 'prod',
    });
    const tenants = new TenantTable(this, 'TenantTable');
    const keyring = new KeyringSecret(this, 'KeyringSecret');
    const emails = new EmailTable(this, 'EmailTable');
    const bodies = new BodyBucket(this, 'BodyBucket');
    const queues = new MailQueues(this, 'MailQueues');
    const mailer = new Mailer(this, 'Mailer', { domain: config.domain });

    const authorizer = new Authorizer(this, 'Authorizer', { config, tenants, keyring });
    const api = new Api(this, 'Api', { config, emails, bodies, keyring });
    const httpApi = new GatewayHttpApi(this, 'HttpApi', {
      config,
      authorizer: authorizer.function,
      api: api.function,
    });
    const relay = new Relay(this, 'Relay', { config, emails, queues });
    const sender = new Sender(this, 'Sender', { config, emails, tenants, bodies, queues, mailer });
    const feedback = new Feedback(this, 'Feedback', { config, emails, tenants, mailer });
    const sweeper = new Sweeper(this, 'Sweeper', { config, emails, queues });
    // A deploy that changes the job updates the room that reads it before the rooms that write it.
    relay.node.addDependency(sender);
    sweeper.node.addDependency(sender);

    this.publish({
      ApiUrl: httpApi.url,
      EmailTableName: emails.table.tableName,
      TenantTableName: tenants.table.tableName,
      BodyBucketName: bodies.bucket.bucketName,
      ExpressQueueUrl: queues.express.queueUrl,
      BulkQueueUrl: queues.bulk.queueUrl,
      DeadLetterQueueUrl: queues.deadLetter.queueUrl,
      RelayFailuresQueueUrl: relay.failures.queueUrl,
      FeedbackFailuresQueueUrl: feedback.failures.queueUrl,
      ConfigurationSetName: mailer.configurationSetName,
      KeyringSecretArn: keyring.secret.secretArn,
    });
  }

  /** The ops tools and the local runner find the resources by these names. */
  private publish(outputs: Record<string, string>): void {
    for (const [name, value] of Object.entries(outputs)) {
      new CfnOutput(this, `${name}Output`, { value }).overrideLogicalId(name);
    }
  }
}
