import type { Email } from '../../shared/domain/email.ts';
import { jobFromEmail } from '../../shared/domain/job-from-email.ts';
import { laneGroup, queueOf } from '../../shared/domain/lanes.ts';
import type { Enqueue, MailQueue } from '../../shared/ports/mail-queue.ts';

/** One record of the stream: a mail that was just accepted. */
export interface Change {
  readonly sequenceNumber: string;
  readonly image: unknown;
}

export interface Unrelayed {
  readonly sequenceNumber: string;
  readonly outboxId: string | undefined;
  readonly reason: string;
}

export interface RelayPorts {
  readonly queue: MailQueue;
  readonly now: () => number;
}

/** Puts each mail into its lane. What comes back was not relayed, and must be shown to Lambda by its sequence number. */
export async function relayChanges(changes: readonly Change[], ports: RelayPorts): Promise<Unrelayed[]> {
  const unrelayed: Unrelayed[] = [];
  const ready: { change: Change; enqueue: Enqueue }[] = [];
  for (const change of changes) {
    try {
      ready.push({ change, enqueue: enqueueOf(change.image as Email, ports.now()) });
    } catch (error) {
      unrelayed.push(describe(change, (error as Error).message));
    }
  }
  const refused = await ports.queue.send(ready.map(({ enqueue }) => enqueue));
  for (const [position, reason] of refused) {
    const sent = ready[position];
    if (sent) unrelayed.push(describe(sent.change, reason));
  }
  return unrelayed;
}

function enqueueOf(email: Email, now: number): Enqueue {
  const job = jobFromEmail(email, now);
  return { queue: queueOf(email.lane), group: laneGroup(email.companyId, email.lane), job };
}

function describe(change: Change, reason: string): Unrelayed {
  const outboxId = (change.image as Partial<Email> | undefined)?.outboxId;
  return { sequenceNumber: change.sequenceNumber, outboxId, reason };
}
