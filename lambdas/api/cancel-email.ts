import type { Email } from '../../shared/domain/email.ts';
import { isLive } from '../../shared/domain/email-state.ts';
import { applyCommand, type EmailStore } from '../../shared/ports/email-store.ts';

export type Cancellation =
  | { readonly outcome: 'canceled'; readonly email: Email }
  | { readonly outcome: 'tooLate'; readonly email: Email; readonly why: string }
  | { readonly outcome: 'unknown' };

/** Cancels what SES cannot have yet. Canceling twice is canceling once. */
export async function cancelEmail(
  email: Email,
  ports: { readonly emails: EmailStore; readonly now: () => number; readonly retentionDays: number },
): Promise<Cancellation> {
  const result = await applyCommand(
    ports.emails,
    email,
    { type: 'CANCEL' },
    {
      now: ports.now,
      retentionDays: ports.retentionDays,
      unless: (current) => mayBeSent(current) || current.status === 'CANCELED',
    },
  );
  if (result.outcome === 'gone') return { outcome: 'unknown' };
  if (result.outcome === 'applied' || result.email.status === 'CANCELED') {
    return { outcome: 'canceled', email: result.email };
  }
  return { outcome: 'tooLate', email: result.email, why: whyNot(result.email) };
}

/** A mail that was sent must not be called canceled; a later attempt or a redrive does not end an earlier doubt. */
function mayBeSent({ inDoubt, events }: Email): boolean {
  return inDoubt === true || events.some(({ type }) => type === 'IN_DOUBT');
}

function whyNot(email: Email): string {
  const { status } = email;
  if (status === 'SENT_ATTEMPT' || (isLive(status) && mayBeSent(email))) {
    return 'It is being sent at this moment, or it is in doubt whether it was sent.';
  }
  return `It is ${status}.`;
}
