import { z } from 'zod';

/** Why an address is written to no more. */
export type SuppressionReason = 'BOUNCE' | 'COMPLAINT';

/** What SES says became of a mail. */
export type Feedback = {
  readonly outboxId: string;
  readonly companyId: string;
  readonly sesMessageId: string;
  readonly at: string;
} & (
  | { readonly kind: 'sent' }
  | { readonly kind: 'delivered' | 'delayed'; readonly meta: Record<string, unknown> }
  | {
      readonly kind: 'bounced' | 'complained';
      readonly addresses: readonly string[];
      readonly meta: Record<string, unknown>;
      readonly suppress?: SuppressionReason;
    }
);

const recipients = z.array(z.object({ emailAddress: z.string(), diagnosticCode: z.string().optional() }));

/** https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html */
const detailSchema = z.object({
  eventType: z.string(),
  mail: z.object({
    timestamp: z.string(),
    messageId: z.string(),
    tags: z.record(z.string(), z.array(z.string())),
  }),
  delivery: z
    .object({ timestamp: z.string(), recipients: z.array(z.string()), smtpResponse: z.string().optional() })
    .optional(),
  bounce: z
    .object({
      timestamp: z.string(),
      bounceType: z.string(),
      bounceSubType: z.string(),
      bouncedRecipients: recipients,
    })
    .optional(),
  complaint: z
    .object({
      timestamp: z.string(),
      complainedRecipients: recipients,
      complaintFeedbackType: z.string().nullish(),
    })
    .optional(),
  deliveryDelay: z
    .object({ timestamp: z.string(), delayType: z.string(), delayedRecipients: recipients })
    .optional(),
  reject: z.object({ reason: z.string() }).optional(),
});

/** Undefined for an event that is not about a mail of this gateway, or of a kind that says nothing to us. */
export function readFeedback(detail: unknown): Feedback | undefined {
  const parsed = detailSchema.safeParse(detail);
  if (!parsed.success) return undefined;
  const { eventType, mail, delivery, bounce, complaint, deliveryDelay, reject } = parsed.data;
  const outboxId = mail.tags['outboxId']?.[0];
  const companyId = mail.tags['companyId']?.[0];
  if (outboxId === undefined || companyId === undefined) return undefined;
  const about = { outboxId, companyId, sesMessageId: mail.messageId };

  if (eventType === 'Send') return { ...about, kind: 'sent', at: mail.timestamp };
  if (delivery) {
    const { timestamp: at, recipients, smtpResponse } = delivery;
    return { ...about, kind: 'delivered', at, meta: stated({ at, recipients, smtpResponse }) };
  }
  if (bounce) {
    const { timestamp: at, bounceType, bounceSubType, bouncedRecipients } = bounce;
    return {
      ...about,
      // "Transient" is a full mailbox or an automatic reply: no verdict on the address, and none on the mail.
      kind: bounceType === 'Transient' ? 'delayed' : 'bounced',
      at,
      addresses: bouncedRecipients.map(({ emailAddress }) => emailAddress),
      meta: { at, bounceType, bounceSubType, recipients: bouncedRecipients },
      ...(bounceType === 'Permanent' && { suppress: 'BOUNCE' as const }),
    };
  }
  if (complaint) {
    const { timestamp: at, complainedRecipients, complaintFeedbackType } = complaint;
    return {
      ...about,
      kind: 'complained',
      at,
      addresses: complainedRecipients.map(({ emailAddress }) => emailAddress),
      meta: stated({ at, recipients: complainedRecipients, complaintFeedbackType }),
      suppress: 'COMPLAINT',
    };
  }
  if (deliveryDelay) {
    const { timestamp: at, delayType, delayedRecipients } = deliveryDelay;
    return { ...about, kind: 'delayed', at, meta: { at, delayType, recipients: delayedRecipients } };
  }
  if (reject) {
    const { reason } = reject;
    return {
      ...about,
      kind: 'bounced',
      at: mail.timestamp,
      addresses: [],
      meta: { at: mail.timestamp, reason },
    };
  }
  return undefined;
}

/** As it will be read back from the timeline: what was not said is not there. */
function stated(meta: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined));
}
