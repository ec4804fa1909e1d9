import { randomUUID } from 'node:crypto';
import { bareAddress, recipientsOf, type AcceptedMail } from './mail.ts';
import { behaviourOf, type Bounce } from './mailbox-simulator.ts';

const DETAIL_TYPES = {
  Send: 'Email Sent',
  Delivery: 'Email Delivered',
  Bounce: 'Email Bounced',
  Complaint: 'Email Complaint Received',
} as const;

export type SesEventType = keyof typeof DETAIL_TYPES;

export const SES_EVENT_TYPES = Object.keys(DETAIL_TYPES) as readonly SesEventType[];

export interface SesEventDetail {
  readonly eventType: SesEventType;
  readonly mail: {
    readonly timestamp: string;
    readonly source: string;
    readonly sourceArn: string;
    readonly sendingAccountId: string;
    readonly messageId: string;
    readonly destination: readonly string[];
    readonly headersTruncated: boolean;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly commonHeaders: Readonly<Record<string, string | readonly string[]>>;
    readonly tags: Readonly<Record<string, readonly string[]>>;
  };
  readonly send?: Readonly<Record<string, never>>;
  readonly delivery?: Readonly<Record<string, unknown>>;
  readonly bounce?: Readonly<Record<string, unknown>>;
  readonly complaint?: Readonly<Record<string, unknown>>;
}

/** An SES event as rules on EventBridge's default bus see it. */
export interface SesEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': (typeof DETAIL_TYPES)[SesEventType];
  readonly source: 'aws.ses';
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: SesEventDetail;
}

export interface SesAccount {
  readonly id: string;
  readonly region: string;
}

type Outcome = Pick<SesEventDetail, 'eventType' | 'send' | 'delivery' | 'bounce' | 'complaint'>;

/** Everything that becomes of a mail, in order. SES is silent about mail without a configuration set. */
export function eventsOf(mail: AcceptedMail, account: SesAccount, now: number): SesEvent[] {
  const { configurationSet } = mail;
  if (configurationSet === null) return [];
  const time = new Date(now).toISOString();
  const mailDetail = describeMail(mail, account, configurationSet);
  return outcomesOf(recipientsOf(mail), time).map((outcome) => ({
    version: '0',
    id: randomUUID(),
    'detail-type': DETAIL_TYPES[outcome.eventType],
    source: 'aws.ses',
    account: account.id,
    time: time.replace(/\.\d+Z$/, 'Z'),
    region: account.region,
    resources: [`arn:aws:ses:${account.region}:${account.id}:configuration-set/${configurationSet}`],
    detail: { ...outcome, mail: mailDetail },
  }));
}

function outcomesOf(recipients: readonly string[], timestamp: string): Outcome[] {
  const delivered = recipients.filter((address) => behaviourOf(address).delivers);
  const outcomes: Outcome[] = [{ eventType: 'Send', send: {} }];
  if (delivered.length > 0) outcomes.push(delivery(delivered, timestamp));
  for (const address of recipients) {
    const { bounce, complains } = behaviourOf(address);
    if (bounce) outcomes.push(bounceOf(address, bounce, timestamp));
    if (complains) outcomes.push(complaintOf(address, timestamp));
  }
  return outcomes;
}

function delivery(recipients: readonly string[], timestamp: string): Outcome {
  return {
    eventType: 'Delivery',
    delivery: {
      timestamp,
      processingTimeMillis: 1,
      recipients,
      smtpResponse: '250 2.6.0 Message received',
      reportingMTA: 'local.smtp-out.amazonses.com',
    },
  };
}

function bounceOf(emailAddress: string, { type, subType, diagnosis }: Bounce, timestamp: string): Outcome {
  return {
    eventType: 'Bounce',
    bounce: {
      feedbackId: randomUUID(),
      bounceType: type,
      bounceSubType: subType,
      bouncedRecipients: [{ emailAddress, ...diagnosis }],
      timestamp,
      reportingMTA: 'dns; local.smtp-out.amazonses.com',
    },
  };
}

function complaintOf(emailAddress: string, timestamp: string): Outcome {
  return {
    eventType: 'Complaint',
    complaint: {
      feedbackId: randomUUID(),
      complaintSubType: null,
      complainedRecipients: [{ emailAddress }],
      timestamp,
      userAgent: 'Amazon SES Mailbox Simulator',
      complaintFeedbackType: 'abuse',
      arrivalDate: timestamp,
    },
  };
}

function describeMail(
  mail: AcceptedMail,
  account: SesAccount,
  configurationSet: string,
): SesEventDetail['mail'] {
  const source = bareAddress(mail.from);
  const domain = source.slice(source.lastIndexOf('@') + 1);
  return {
    timestamp: mail.receivedAt,
    source: mail.from,
    sourceArn: `arn:aws:ses:${account.region}:${account.id}:identity/${domain}`,
    sendingAccountId: account.id,
    messageId: mail.messageId,
    destination: recipientsOf(mail),
    headersTruncated: false,
    headers: headersOf(mail),
    commonHeaders: { from: [mail.from], to: mail.to, messageId: mail.messageId, subject: mail.subject },
    tags: {
      ...Object.fromEntries(Object.entries(mail.tags).map(([name, value]) => [name, [value]])),
      'ses:configuration-set': [configurationSet],
      'ses:source-ip': ['127.0.0.1'],
      'ses:from-domain': [domain],
      'ses:caller-identity': ['local'],
    },
  };
}

function headersOf(mail: AcceptedMail): { name: string; value: string }[] {
  const written: Record<string, string> = {
    From: mail.from,
    To: mail.to.join(', '),
    Subject: mail.subject,
    'MIME-Version': '1.0',
    ...mail.headers,
  };
  return Object.entries(written).map(([name, value]) => ({ name, value }));
}
