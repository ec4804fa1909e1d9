import { isDeepStrictEqual } from 'node:util';
import type { Command } from '../../shared/domain/advance.ts';
import type { Email } from '../../shared/domain/email.ts';
import { findTransition, isSent } from '../../shared/domain/email-state.ts';
import { normaliseAddress } from '../../shared/domain/email-address.ts';
import { applyCommand, type EmailStore } from '../../shared/ports/email-store.ts';
import type { TenantStore } from '../../shared/ports/tenant-store.ts';
import type { Feedback } from './ses-event.ts';

export interface FeedbackPorts {
  readonly emails: EmailStore;
  readonly tenants: Pick<TenantStore, 'putSuppression'>;
  readonly now: () => number;
  readonly retentionDays: number;
}

/** `ignored`: nobody's mail, or nothing new. `early`: the event came before the state it belongs to; try again later. */
export type FeedbackOutcome =
  | { readonly outcome: 'applied'; readonly email: Email }
  | { readonly outcome: 'ignored'; readonly why: string }
  | { readonly outcome: 'early'; readonly email: Email };

/** SES's word is final: whatever it speaks of was sent, even if our own record of that was lost. */
export async function applyFeedback(feedback: Feedback, ports: FeedbackPorts): Promise<FeedbackOutcome> {
  const { outboxId, companyId, sesMessageId } = feedback;
  let email = await ports.emails.get(outboxId);
  if (!email) return { outcome: 'ignored', why: 'there is no such mail' };
  // Whoever may send through this account could write our tags: only a matching pair is believed.
  if (email.companyId !== companyId)
    return { outcome: 'ignored', why: 'the mail belongs to another company' };

  // First: whoever sees the bounce on the timeline may rely on the address being written to no more.
  await suppress(feedback, email, ports);
  let applied = false;
  for (const command of commandsFor(feedback, email)) {
    const result = await applyCommand(ports.emails, email, command, {
      now: ports.now,
      retentionDays: ports.retentionDays,
      unless: (current) => isKnown(current, command, sesMessageId),
    });
    if (result.outcome === 'gone') return { outcome: 'ignored', why: 'the mail was purged' };
    email = result.email;
    if (result.outcome === 'applied') applied = true;
    if (result.outcome === 'impossible' && !isSent(email.status)) return { outcome: 'early', email };
  }
  return applied ? { outcome: 'applied', email } : { outcome: 'ignored', why: 'nothing new' };
}

function commandsFor(feedback: Feedback, email: Email): Command[] {
  const { sesMessageId, at } = feedback;
  const sent: Command = isSent(email.status)
    ? { type: 'NOTE', event: 'SENT', sesMessageId, meta: { at, sesMessageId, sentAgain: true } }
    : { type: 'CONFIRM_SENT', sesMessageId, at };
  if (feedback.kind === 'sent') return [sent];
  return [sent, consequence(feedback, email)];
}

/** A step forward where there is one; otherwise a line on the timeline. */
function consequence(feedback: Exclude<Feedback, { kind: 'sent' }>, email: Email): Command {
  const { kind, meta } = feedback;
  if (kind === 'delayed') return { type: 'NOTE', event: 'DELIVERY_DELAYED', meta };
  const [type, event] = STEPS[kind];
  const from = isSent(email.status) ? email.status : 'SENT';
  const aboutCopies = kind === 'bounced' && isAboutCopiesOnly(feedback.addresses, email);
  const steps = findTransition(from, type) !== undefined && !aboutCopies;
  return steps ? { type, meta } : { type: 'NOTE', event, meta };
}

const STEPS = {
  delivered: ['CONFIRM_DELIVERY', 'DELIVERED'],
  bounced: ['CONFIRM_BOUNCE', 'BOUNCED'],
  complained: ['CONFIRM_COMPLAINT', 'COMPLAINED'],
} as const;

function isAboutCopiesOnly(addresses: readonly string[], email: Email): boolean {
  return (
    addresses.length > 0 && !addresses.some((each) => normaliseAddress(each) === normaliseAddress(email.to))
  );
}

/** EventBridge delivers at least once, and the sender has usually recorded the send already. */
function isKnown(email: Email, command: Command, sesMessageId: string): boolean {
  if (command.type === 'CONFIRM_SENT' || (command.type === 'NOTE' && command.event === 'SENT')) {
    return email.sesMessageIds.includes(sesMessageId);
  }
  return 'meta' in command && email.events.some(({ meta }) => isDeepStrictEqual(meta, command.meta));
}

async function suppress(feedback: Feedback, email: Email, ports: FeedbackPorts): Promise<void> {
  if (!('suppress' in feedback) || feedback.suppress === undefined) return;
  for (const address of feedback.addresses) {
    await ports.tenants.putSuppression({
      companyId: email.companyId,
      address: normaliseAddress(address),
      reason: feedback.suppress,
      outboxId: email.outboxId,
      createdAt: feedback.at,
    });
  }
}
