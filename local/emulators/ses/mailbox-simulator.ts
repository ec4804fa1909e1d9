export interface Bounce {
  readonly type: 'Permanent' | 'Transient';
  readonly subType: 'General' | 'Suppressed';
  /** What the other mail server said, where it said anything. */
  readonly diagnosis: Readonly<Record<string, string>>;
}

export interface MailboxBehaviour {
  readonly delivers: boolean;
  readonly complains: boolean;
  readonly bounce?: Bounce;
}

/** Nothing leaves this machine: an ordinary mail is sent, and nobody can say that it was delivered. */
const ORDINARY: MailboxBehaviour = { delivers: false, complains: false };

/** https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html#send-email-simulator */
const SIMULATED: Readonly<Record<string, MailboxBehaviour>> = {
  success: { delivers: true, complains: false },
  complaint: { delivers: true, complains: true },
  bounce: {
    delivers: false,
    complains: false,
    bounce: {
      type: 'Permanent',
      subType: 'General',
      diagnosis: { action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' },
    },
  },
  /** An automatic reply comes back as a bounce without a diagnosis. */
  ooto: {
    delivers: true,
    complains: false,
    bounce: { type: 'Transient', subType: 'General', diagnosis: {} },
  },
  /** As if the address were on the global suppression list, not on the account's own. */
  suppressionlist: {
    delivers: false,
    complains: false,
    bounce: {
      type: 'Permanent',
      subType: 'Suppressed',
      diagnosis: {
        action: 'failed',
        status: '5.1.1',
        diagnosticCode: 'Amazon SES has suppressed sending to this address because it recently bounced.',
      },
    },
  },
};

/** `bounce+anything@` behaves like `bounce@`. */
export function behaviourOf(address: string): MailboxBehaviour {
  const mailbox = /^([a-z]+)(\+[^@]*)?@simulator\.amazonses\.com$/i.exec(address)?.[1];
  return SIMULATED[mailbox?.toLowerCase() ?? ''] ?? ORDINARY;
}
