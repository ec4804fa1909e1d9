import { advance, type Command } from '../domain/advance.ts';
import type { Email } from '../domain/email.ts';

export type Inserted = { readonly inserted: true } | { readonly inserted: false; readonly existing: Email };
export type Saved = { readonly saved: true } | { readonly saved: false; readonly current: Email | undefined };

export interface EmailStore {
  /** The conditional put on outboxId: the one that was there first wins, and comes back. */
  insert(email: Email): Promise<Inserted>;
  get(outboxId: string): Promise<Email | undefined>;
  /** Writes `email` if the stored one still has `email.rev - 1`; otherwise tells what is there now. */
  save(email: Email): Promise<Saved>;
}

export type Applied =
  | { readonly outcome: 'applied'; readonly email: Email }
  /** The state machine has no such step from where the mail is by now. */
  | { readonly outcome: 'impossible'; readonly email: Email }
  /** `unless` held for what another writer left. */
  | { readonly outcome: 'overtaken'; readonly email: Email }
  | { readonly outcome: 'gone' };

export interface ApplyOptions {
  readonly now: () => number;
  readonly retentionDays?: number;
  /** Looked at again each time another writer came first; true means: leave it. */
  readonly unless?: (email: Email) => boolean;
}

/** The one way in which a mail changes state: decide on what was read, write only if that still stands, or decide again. */
export async function applyCommand(
  store: EmailStore,
  read: Email,
  command: Command,
  options: ApplyOptions,
): Promise<Applied> {
  let email = read;
  for (;;) {
    if (options.unless?.(email)) return { outcome: 'overtaken', email };
    const next = advance(email, command, options.now(), options.retentionDays);
    if (!next.ok) return { outcome: 'impossible', email };
    const result = await store.save(next.email);
    if (result.saved) return { outcome: 'applied', email: next.email };
    if (!result.current) return { outcome: 'gone' };
    email = result.current;
  }
}
