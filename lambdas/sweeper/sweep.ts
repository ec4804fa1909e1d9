import type { Email } from '../../shared/domain/email.ts';
import { jobFromEmail } from '../../shared/domain/job-from-email.ts';
import { asideGroup, laneGroup, queueOf, type QueueName } from '../../shared/domain/lanes.ts';
import { WORKSET_SHARDS } from '../../shared/domain/workset.ts';
import { applyCommand, type EmailStore } from '../../shared/ports/email-store.ts';
import type { MailQueue } from '../../shared/ports/mail-queue.ts';
import type { Workset } from '../../shared/ports/workset.ts';
import { decideLook } from './decide-look.ts';

export interface SweepPorts {
  readonly emails: EmailStore;
  readonly workset: Workset;
  readonly queue: MailQueue;
  /** How many messages each queue holds, those in flight included. */
  readonly depths: () => Promise<Readonly<Record<QueueName, number>>>;
  readonly now: () => number;
  readonly retentionDays: number;
  readonly log: (message: string, more: Record<string, unknown>) => void;
}

/** Scheduled sends and live mails each have their own time, so that a flood of one never starves the other. */
const BUDGET_MS = 20_000;

export interface SweepReport {
  readonly due: number;
  readonly watch: number;
}

/** Messages that no mail was counted for yet; taking the last one of a queue leaves its mails unexplained. */
type Unclaimed = Record<QueueName, number>;

export async function sweep(ports: SweepPorts): Promise<SweepReport> {
  const unclaimed = { ...(await ports.depths()) };
  return {
    due: await sweepKind('due', unclaimed, ports),
    watch: await sweepKind('watch', unclaimed, ports),
  };
}

async function sweepKind(kind: 'due' | 'watch', unclaimed: Unclaimed, ports: SweepPorts): Promise<number> {
  const until = ports.now();
  const deadline = until + BUDGET_MS;
  const shards = Array.from({ length: WORKSET_SHARDS }, (_, shard) =>
    sweepShard(kind, shard, { until, deadline, unclaimed }, ports),
  );
  return (await Promise.all(shards)).reduce((total, touched) => total + touched, 0);
}

async function sweepShard(
  kind: 'due' | 'watch',
  shard: number,
  { until, deadline, unclaimed }: { until: number; deadline: number; unclaimed: Unclaimed },
  ports: SweepPorts,
): Promise<number> {
  let touched = 0;
  for await (const outboxId of ports.workset.overdue(kind, shard, new Date(until).toISOString())) {
    if (ports.now() >= deadline) break;
    try {
      if (await look(outboxId, unclaimed, ports)) touched += 1;
    } catch (error) {
      ports.log('mail not swept', { outboxId, error });
    }
  }
  return touched;
}

/** Touch first, then send: dying in between loses nothing, because the touch named the time of the next look. */
async function look(outboxId: string, unclaimed: Unclaimed, ports: SweepPorts): Promise<boolean> {
  const email = await ports.emails.get(outboxId);
  if (!email) return false;
  const decision = decideLook(email, ports.now(), () => (unclaimed[queueOf(email.lane)] -= 1) >= 0);
  if (decision === 'nothing') return false;
  const applied = await applyCommand(ports.emails, email, decision.command, {
    now: ports.now,
    retentionDays: ports.retentionDays,
    unless: (current) => current.rev !== email.rev,
  });
  if (applied.outcome !== 'applied') return false;
  if (decision.enqueue !== 'no') await enqueue(applied.email, decision.enqueue, ports);
  return true;
}

async function enqueue(email: Email, where: 'lane' | 'aside', ports: SweepPorts): Promise<void> {
  const { companyId, outboxId, lane } = email;
  const group = where === 'lane' ? laneGroup(companyId, lane) : asideGroup(companyId, outboxId);
  const refused = await ports.queue.send([
    { queue: queueOf(lane), group, job: jobFromEmail(email, ports.now()) },
  ]);
  const reason = refused.get(0);
  if (reason !== undefined) ports.log('mail not enqueued; the next look will', { outboxId, reason });
}
