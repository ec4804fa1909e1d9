import type { EmailEvent } from './email.ts';

const FIRST_KEPT = 10;
const LAST_KEPT = 40;

/** At most 50 events: how it began and how it went lately. What is lost is the monotonous middle. */
export function appendEvents(timeline: readonly EmailEvent[], ...added: EmailEvent[]): readonly EmailEvent[] {
  const all = [...timeline, ...added];
  if (all.length <= FIRST_KEPT + LAST_KEPT) return all;
  return [...all.slice(0, FIRST_KEPT), ...all.slice(-LAST_KEPT)];
}
