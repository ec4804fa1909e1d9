import type { Clock } from '../../clock.ts';
import type { Journal } from '../../journal.ts';
import { Deque } from './deque.ts';
import type { StoredMessage } from './message.ts';

export const DEDUPLICATION_WINDOW_MS = 5 * 60_000;

export interface DeduplicationRecord {
  readonly queue: string;
  readonly messageId: string;
  readonly sequence: number;
  readonly at: number;
}

/** Which deduplication ids a FIFO queue has accepted in the last five minutes, deleted messages included. */
export class DeduplicationWindow {
  private readonly oldestFirst = new Deque<string>();

  constructor(
    private readonly journal: Journal<DeduplicationRecord>,
    private readonly clock: Clock,
  ) {
    for (const [key] of journal.entries()) this.oldestFirst.push(key);
  }

  find(key: string): DeduplicationRecord | undefined {
    const record = this.journal.get(key);
    return record && this.isCurrent(record) ? record : undefined;
  }

  remember(key: string, message: StoredMessage): void {
    this.prune();
    this.oldestFirst.push(key);
    this.journal.set(key, {
      queue: message.queue,
      messageId: message.id,
      sequence: message.sequence,
      at: message.sentAt,
    });
  }

  forgetQueue(name: string): void {
    for (const [key, record] of [...this.journal.entries()]) {
      if (record.queue === name) this.journal.delete(key);
    }
  }

  private prune(): void {
    for (;;) {
      const key = this.oldestFirst.first();
      if (key === undefined) return;
      const record = this.journal.get(key);
      if (record && this.isCurrent(record)) return;
      this.oldestFirst.shift();
      this.journal.delete(key);
    }
  }

  private isCurrent(record: DeduplicationRecord): boolean {
    return this.clock.now() < record.at + DEDUPLICATION_WINDOW_MS;
  }
}
