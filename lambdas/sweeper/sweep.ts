import type { Email } from '../../shared/domain/email.ts';
import { jobFromEmail } from '../../shared/domain/job-from-email.ts';
import { asideGroup, laneGroup, queueOf } from '../../shared/domain/lanes.ts';
import { WORKSET_SHARDS } from '../../shared/domain/workset.ts';
import { applyCommand, type EmailStore } from '../../shared/ports/email-store.ts';
import type { Enqueue, MailQueue } from '../../shared/ports/mail-queue.ts';
import type { Workset } from '../../shared/ports/workset.ts';
import { decideLook } from './decide-look.ts';

export interface SweepPorts {
  readonly emails: EmailStore;
  readonly workset: Workset;
  readonly queue: MailQueue;
  /** How many messages the queues hold, those in flight included. */
  readonly queued: () => Promise<number>;
  readonly now: () => number;
  readonly retentionDays: number;
  readonly log: (message: string, more: Record<string, unknown>) => void;
}

/** Scheduled sends and live mails each have their own time, so that a flood of one never starves the other. */
const BUDGET_MS = 20_000;
/** Mails of one shard that are looked at together; SQS takes ten messages a call. */
const AT_ONCE = 10;

export interface SweepReport {
  readonly due: number;
  readonly watch: number;
}

interface Round {
  readonly until: string;
  readonly deadline: number;
  /** Takes one message as an overdue mail's own, as long as there are any that could be. */
  readonly mayBeQueued: () => boolean;
}

export async function sweep(ports: SweepPorts): Promise<SweepReport> {
  return { due: await sweepKind('due', ports), watch: await sweepKind('watch', ports) };
}

async function sweepKind(kind: 'due' | 'watch', ports: SweepPorts): Promise<number> {
  const now = ports.now();
  const until = new Date(now).toISOString();
  let unclaimed = kind === 'watch' ? await messagesForOverdue(until, ports) : 0;
  const round: Round = { until, deadline: now + BUDGET_MS, mayBeQueued: () => (unclaimed -= 1) >= 0 };
  const shards = Array.from(SHARDS, (shard) => sweepShard(kind, shard, round, ports));
  return sum(await Promise.all(shards));
}

const SHARDS = Array.from({ length: WORKSET_SHARDS }, (_, shard) => shard);

/**
 * Every live mail whose time has not come has its message in a queue. What the queues hold beyond those may
 * belong to mails that are overdue: those wait their turn and are not lost.
 */
async function messagesForOverdue(until: string, ports: SweepPorts): Promise<number> {
  const ahead = SHARDS.map((shard) => ports.workset.countAhead('watch', shard, until));
  return (await ports.queued()) - sum(await Promise.all(ahead));
}

async function sweepShard(
  kind: 'due' | 'watch',
  shard: number,
  round: Round,
  ports: SweepPorts,
): Promise<number> {
  let touched = 0;
  let together: string[] = [];
  const lookAtAll = async () => {
    const looks = await Promise.all(together.map((outboxId) => look(outboxId, round, ports)));
    together = [];
    touched += looks.filter((looked) => looked !== 'untouched').length;
    await enqueue(
      looks.filter((looked) => typeof looked === 'object'),
      ports,
    );
  };
  for await (const outboxId of ports.workset.overdue(kind, shard, round.until)) {
    if (ports.now() >= round.deadline) return touched;
    together.push(outboxId);
    if (together.length === AT_ONCE) await lookAtAll();
  }
  await lookAtAll();
  return touched;
}

/** Touch first, then send: dying in between loses nothing, because the touch named the time of the next look. */
async function look(
  outboxId: string,
  round: Round,
  ports: SweepPorts,
): Promise<Enqueue | 'touched' | 'untouched'> {
  try {
    const email = await ports.emails.get(outboxId);
    if (!email) return 'untouched';
    const decision = decideLook(email, ports.now(), round.mayBeQueued);
    if (decision === 'nothing') return 'untouched';
    const applied = await applyCommand(ports.emails, email, decision.command, {
      now: ports.now,
      retentionDays: ports.retentionDays,
      unless: (current) => current.rev !== email.rev,
    });
    if (applied.outcome !== 'applied') return 'untouched';
    return decision.enqueue === 'no' ? 'touched' : messageFor(applied.email, decision.enqueue, ports.now());
  } catch (error) {
    ports.log('mail not swept', { outboxId, error });
    return 'untouched';
  }
}

function messageFor(email: Email, where: 'lane' | 'aside', now: number): Enqueue {
  const { companyId, outboxId, lane } = email;
  const group = where === 'lane' ? laneGroup(companyId, lane) : asideGroup(companyId, outboxId);
  return { queue: queueOf(lane), group, job: jobFromEmail(email, now) };
}

async function enqueue(messages: readonly Enqueue[], ports: SweepPorts): Promise<void> {
  const refused = await ports.queue.send(messages);
  for (const [position, reason] of refused) {
    const outboxId = messages[position]?.job.outboxId;
    ports.log('mail not enqueued; the next look will', { outboxId, reason });
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
