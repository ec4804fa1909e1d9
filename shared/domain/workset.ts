import type { Email } from './email.ts';
import { isLive } from './email-state.ts';
import { shardOf } from './lanes.ts';

/** `due`: scheduled sends. `watch`: live mails, by when someone must look again. `dead`: what is in the DLQ. */
export type WorksetKind = 'due' | 'watch' | 'dead';

export const WORKSET_SHARDS = 8;
const FIRST_LOOK_MS = 10 * 60_000;
const LONGEST_LOOK_MS = 8 * 60 * 60_000;

export function worksetKey(kind: WorksetKind, shard: number): string {
  return `${kind}#${shard}`;
}

/** 10, 20, 40 … minutes from now, but never later than the mail's own end. */
export function nextLook(now: number, looks: number, expiresAt: string): string {
  const wait = Math.min(FIRST_LOOK_MS * 2 ** looks, LONGEST_LOOK_MS);
  return new Date(Math.min(now + wait, Math.max(Date.parse(expiresAt), now + 60_000))).toISOString();
}

type Place = { readonly worksetKey: string | undefined; readonly worksetAt: string | undefined };

/** Where a mail of this state stands in the index; `lookAt` is for live ones. */
export function placeInWorkset(email: Email, lookAt: string): Place {
  const at = (kind: WorksetKind, when: string): Place => ({
    worksetKey: worksetKey(kind, shardOf(email.outboxId, WORKSET_SHARDS)),
    worksetAt: when,
  });
  if (email.status === 'SCHEDULED') return at('due', email.sendAt ?? lookAt);
  if (email.status === 'FAILED') return at('dead', email.failedAt ?? lookAt);
  return isLive(email.status) ? at('watch', lookAt) : { worksetKey: undefined, worksetAt: undefined };
}
