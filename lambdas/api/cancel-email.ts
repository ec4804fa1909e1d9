import type { Email } from '../../shared/domain/email.ts';
import { applyCommand, type EmailStore } from '../../shared/ports/email-store.ts';

export type Cancellation =
  | { readonly outcome: 'canceled'; readonly email: Email }
  | { readonly outcome: 'tooLate'; readonly email: Email; readonly why: string }
  | { readonly outcome: 'unknown' };

/** Cancels what SES cannot have yet. Canceling twice is canceling once. */
export async function cancelEmail(
  email: Email,
  ports: { readonly emails: EmailStore; readonly now: () => number },
): Promise<Cancellation> {
  const result = await applyCommand(
    ports.emails,
    email,
    { type: 'CANCEL' },
    // In doubt means that SES may have it: a mail that was sent must not be called canceled.
    { now: ports.now, unless: (current) => current.inDoubt === true || current.status === 'CANCELED' },
  );
  if (result.outcome === 'gone') return { outcome: 'unknown' };
  if (result.outcome === 'applied' || result.email.status === 'CANCELED') {
    return { outcome: 'canceled', email: result.email };
  }
  return { outcome: 'tooLate', email: result.email, why: whyNot(result.email) };
}

function whyNot({ status, inDoubt }: Email): string {
  if (inDoubt || status === 'SENT_ATTEMPT') {
    return 'It is being sent at this moment, or it is in doubt whether it was sent.';
  }
  return `It is ${status}.`;
}
