import type { Command } from '../../shared/domain/advance.ts';
import type { Email } from '../../shared/domain/email.ts';
import { isLive } from '../../shared/domain/email-state.ts';

const AFTER_NEXT_ATTEMPT_MS = 10 * 60_000;

/** What an overdue mail needs: nothing, an end, its first enqueue, another look later, or a new message. */
export type Look = { readonly command: Command; readonly enqueue: 'lane' | 'aside' | 'no' } | 'nothing';

export function decideLook(email: Email, now: number): Look {
  if (email.status !== 'SCHEDULED' && !isLive(email.status)) return 'nothing';
  if (email.leaseUntil !== undefined && Date.parse(email.leaseUntil) > now) return 'nothing';
  if (Date.parse(email.expiresAt) <= now) return { command: { type: 'EXPIRE' }, enqueue: 'no' };
  if (email.status === 'SCHEDULED') {
    return Date.parse(email.sendAt ?? '') > now ? 'nothing' : { command: { type: 'DUE' }, enqueue: 'lane' };
  }
  if (email.worksetAt !== undefined && Date.parse(email.worksetAt) > now) return 'nothing';
  const nextAttempt = email.nextAttemptAt === undefined ? 0 : Date.parse(email.nextAttemptAt);
  if (nextAttempt > now) {
    const until = new Date(
      Math.min(nextAttempt + AFTER_NEXT_ATTEMPT_MS, Date.parse(email.expiresAt)),
    ).toISOString();
    return { command: { type: 'WATCH_LATER', until }, enqueue: 'no' };
  }
  return { command: { type: 'REQUEUE', why: 'nothing was heard of it for too long' }, enqueue: 'aside' };
}
