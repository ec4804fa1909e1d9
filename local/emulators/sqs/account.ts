import type { MoveTasks } from './move-tasks.ts';
import type { Queue } from './queue.ts';
import type { Queues } from './queues.ts';

/** What the actions work on. */
export interface Account {
  readonly queues: Queues;
  readonly moveTasks: MoveTasks;
  urlOf(queue: Queue): string;
}
