import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Journal } from '../../journal.ts';
import { SqsError, invalidParameter } from './errors.ts';
import type { Queue } from './queue.ts';
import type { Queues } from './queues.ts';

export const FASTEST_MOVE_PER_SECOND = 500;
const KEPT_PER_SOURCE = 10;

export interface MoveTaskRecord {
  readonly handle: string;
  readonly sourceArn: string;
  readonly destinationArn?: string;
  readonly maxPerSecond?: number;
  readonly status: 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
  readonly moved: number;
  readonly toMove: number;
  readonly startedAt: number;
  readonly failureReason?: string;
}

type Step = 'moved' | 'empty' | { readonly failure: string };

/** Tasks that move what is visible in a dead-letter queue back to where it came from, or elsewhere. */
export class MoveTasks {
  private readonly timers = new Map<string, () => void>();

  constructor(
    private readonly journal: Journal<MoveTaskRecord>,
    private readonly queues: Queues,
    private readonly clock: Clock,
  ) {
    for (const [, task] of journal.entries()) if (task.status === 'RUNNING') this.run(task);
  }

  start(source: Queue, destination: Queue | undefined, maxPerSecond: number | undefined): MoveTaskRecord {
    if (this.of(source.arn).some((task) => task.status === 'RUNNING')) {
      throw invalidParameter(
        'There is already a task running. Only one active task is allowed for a source queue arn at a given time.',
      );
    }
    source.contents.settle();
    const task: MoveTaskRecord = {
      handle: Buffer.from(JSON.stringify({ taskId: randomUUID(), sourceArn: source.arn })).toString('base64'),
      sourceArn: source.arn,
      ...(destination && { destinationArn: destination.arn }),
      ...(maxPerSecond !== undefined && { maxPerSecond }),
      status: 'RUNNING',
      moved: 0,
      toMove: source.contents.counts.visible,
      startedAt: this.clock.now(),
    };
    this.journal.set(task.handle, task);
    for (const old of this.of(source.arn).slice(KEPT_PER_SOURCE)) this.journal.delete(old.handle);
    this.run(task);
    return task;
  }

  /** The newest first. */
  of(sourceArn: string): MoveTaskRecord[] {
    return [...this.journal.entries()]
      .map(([, task]) => task)
      .filter((task) => task.sourceArn === sourceArn)
      .reverse();
  }

  cancel(handle: string): MoveTaskRecord {
    const task = this.journal.get(handle);
    if (!task) throw new SqsError('ResourceNotFoundException', 'Task does not exist.');
    if (task.status !== 'RUNNING') {
      throw invalidParameter('Only active tasks can be cancelled.');
    }
    this.end(task, 'CANCELLED');
    return task;
  }

  close(): void {
    for (const cancel of this.timers.values()) cancel();
  }

  private run(started: MoveTaskRecord): void {
    const perSecond = started.maxPerSecond ?? FASTEST_MOVE_PER_SECOND;
    const pacedFrom = this.clock.now();
    let task = started;
    let movedSince = 0;
    const moveDue = () => {
      const due = Math.floor(((this.clock.now() - pacedFrom) * perSecond) / 1000) + 1;
      while (movedSince < due) {
        const step = this.moveOne(task);
        if (step === 'empty') return this.end(task, 'COMPLETED');
        if (step !== 'moved') return this.end(task, 'FAILED', step.failure);
        movedSince += 1;
        task = { ...task, moved: task.moved + 1 };
        this.journal.set(task.handle, task);
      }
      this.timers.set(task.handle, this.clock.after(Math.ceil(1000 / perSecond), moveDue));
    };
    this.timers.set(task.handle, this.clock.after(0, moveDue));
  }

  private moveOne(task: MoveTaskRecord): Step {
    const source = this.queues.findByArn(task.sourceArn);
    if (!source) return { failure: 'AWS.SimpleQueueService.NonExistentQueue' };
    const message = source.oldestVisible();
    if (!message) return 'empty';
    const { id, body, attributes, traceHeader, groupId, deadLetterSourceArn } = message.stored;
    const destinationArn = task.destinationArn ?? deadLetterSourceArn;
    if (destinationArn === undefined) return { failure: 'CouldNotDetermineMessageSource' };
    const destination = this.queues.findByArn(destinationArn);
    if (!destination) return { failure: 'AWS.SimpleQueueService.NonExistentQueue' };
    destination.send({
      body,
      attributes,
      ...(traceHeader !== undefined && { traceHeader }),
      ...(groupId !== undefined && { groupId }),
      // The old message id: a move that a crash repeats arrives once, and never counts as a copy of another mail.
      ...(destination.fifo && { deduplicationId: id }),
    });
    source.discard(message);
    return 'moved';
  }

  private end(task: MoveTaskRecord, status: MoveTaskRecord['status'], failureReason?: string): void {
    this.timers.get(task.handle)?.();
    this.timers.delete(task.handle);
    this.journal.set(task.handle, { ...task, status, ...(failureReason !== undefined && { failureReason }) });
  }
}
