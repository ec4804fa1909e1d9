import { CfnOutput, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import {
  ConfigurationSet,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';

export interface MailerProps {
  /**
   * The domain to verify with SES; its DKIM records are then outputs of the stack.
   *
   * @default - the account has verified its sending identities already
   */
  readonly domain: string | undefined;
}

/** Amazon SES as the sender uses it. */
export class Mailer extends Construct {
  readonly configurationSetName: string;
  readonly configurationSetArn: string;
  /** Each company sends from an address of its own, verified outside this stack. */
  readonly identityArns: string;

  constructor(scope: Construct, id: string, props: MailerProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const configurationSet = new ConfigurationSet(this, 'ConfigurationSet', { reputationMetrics: true });
    this.configurationSetName = configurationSet.configurationSetName;
    // SES publishes to the default bus only.
    configurationSet.addEventDestination('Events', {
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'DefaultBus', 'default')),
      events: [
        EmailSendingEvent.SEND,
        EmailSendingEvent.REJECT,
        EmailSendingEvent.BOUNCE,
        EmailSendingEvent.COMPLAINT,
        EmailSendingEvent.DELIVERY,
        EmailSendingEvent.DELIVERY_DELAY,
      ],
    });
    this.configurationSetArn = stack.formatArn({
      service: 'ses',
      resource: 'configuration-set',
      resourceName: this.configurationSetName,
    });
    this.identityArns = stack.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' });
    if (props.domain !== undefined) this.verify(props.domain);
  }

  private verify(domain: string): void {
    const identity = new EmailIdentity(this, 'Domain', { identity: Identity.domain(domain) });
    identity.dkimRecords.forEach((record, index) => {
      new CfnOutput(this, `DkimRecord${index + 1}`, {
        description: 'A CNAME record to add to the DNS zone of the sending domain',
        value: `${record.name} CNAME ${record.value}`,
      }).overrideLogicalId(`DkimRecord${index + 1}`);
    });
  }
}
