import { join } from 'node:path';
import { Journal } from '../../journal.ts';
import type { DeduplicationRecord } from './deduplication-window.ts';
import type { Delivery, StoredMessage } from './message.ts';
import type { MoveTaskRecord } from './move-tasks.ts';
import type { QueueRecord } from './queue.ts';

/** Everything that outlives the process. Queues are known by name, since the port may change on a restart. */
export class SqsStore {
  readonly queues: Journal<QueueRecord>;
  /** By message id, which stays the same when a message moves to a dead-letter queue: the move is one write. */
  readonly messages: Journal<StoredMessage>;
  readonly deliveries: Journal<Delivery>;
  readonly deduplication: Journal<DeduplicationRecord>;
  readonly moveTasks: Journal<MoveTaskRecord>;

  constructor(directory: string) {
    this.queues = Journal.open(join(directory, 'queues.jsonl'));
    this.messages = Journal.open(join(directory, 'messages.jsonl'));
    this.deliveries = Journal.open(join(directory, 'deliveries.jsonl'));
    this.deduplication = Journal.open(join(directory, 'deduplication.jsonl'));
    this.moveTasks = Journal.open(join(directory, 'move-tasks.jsonl'));
  }

  /** The delivery of a message during its present stay in a queue. */
  deliveryOf(message: StoredMessage): Delivery | undefined {
    const delivery = this.deliveries.get(message.id);
    return delivery?.sequence === message.sequence ? delivery : undefined;
  }

  close(): void {
    this.queues.close();
    this.messages.close();
    this.deliveries.close();
    this.deduplication.close();
    this.moveTasks.close();
  }
}
