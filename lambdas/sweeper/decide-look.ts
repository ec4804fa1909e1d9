import type { Command } from '../../shared/domain/advance.ts';
import type { Email } from '../../shared/domain/email.ts';
import { isLive } from '../../shared/domain/email-state.ts';
import { nextLook } from '../../shared/domain/workset.ts';

const AFTER_NEXT_ATTEMPT_MS = 10 * 60_000;
/** However long the queue, a mail in it is counted again at least every 40 minutes. */
const MOST_LOOKS_COUNTED = 2;

/** What an overdue mail needs: nothing, an end, its first enqueue, another look later, or a new message. */
export type Look = { readonly command: Command; readonly enqueue: 'lane' | 'aside' | 'no' } | 'nothing';

/**
 * `mayBeQueued` takes one message of the mail's queue as this mail's own, as long as there are any left:
 * a mail that waits its turn in a long queue must not be enqueued a second time.
 */
export function decideLook(email: Email, now: number, mayBeQueued: () => boolean): Look {
  if (email.status !== 'SCHEDULED' && !isLive(email.status)) return 'nothing';
  if (email.leaseUntil !== undefined && Date.parse(email.leaseUntil) > now) return 'nothing';
  if (Date.parse(email.expiresAt) <= now) return { command: { type: 'EXPIRE' }, enqueue: 'no' };
  if (email.status === 'SCHEDULED') {
    return Date.parse(email.sendAt ?? '') > now ? 'nothing' : { command: { type: 'DUE' }, enqueue: 'lane' };
  }
  if (email.worksetAt !== undefined && Date.parse(email.worksetAt) > now) return 'nothing';
  const nextAttempt = email.nextAttemptAt === undefined ? 0 : Date.parse(email.nextAttemptAt);
  if (nextAttempt > now) {
    const until = Math.min(nextAttempt + AFTER_NEXT_ATTEMPT_MS, Date.parse(email.expiresAt));
    return watchLater(new Date(until).toISOString(), email.looks);
  }
  if (mayBeQueued()) {
    const looks = Math.min(email.looks + 1, MOST_LOOKS_COUNTED);
    return watchLater(nextLook(now, looks, email.expiresAt), looks);
  }
  return {
    command: { type: 'REQUEUE', why: 'nothing was heard of it for too long' },
    // What was tried before may be what kills senders: it waits alone. What never was keeps its tenant's lane.
    enqueue: email.attempts > 0 ? 'aside' : 'lane',
  };
}

function watchLater(until: string, looks: number): Look {
  return { command: { type: 'WATCH_LATER', until, looks }, enqueue: 'no' };
}
