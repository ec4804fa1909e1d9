import { DEDUPLICATION_WINDOW_MS } from './deduplication-window.ts';
import type { Delivery, Message } from './message.ts';

interface Attempt {
  readonly at: number;
  readonly received: { readonly message: Message; readonly delivery: Delivery | undefined }[];
}

/** What each ReceiveRequestAttemptId returned, so that a receive whose answer was lost can be repeated. */
export class ReceiveAttempts {
  private readonly attempts = new Map<string, Attempt>();

  remember(id: string, messages: Message[], now: number): void {
    for (const [old, attempt] of this.attempts) {
      if (now < attempt.at + DEDUPLICATION_WINDOW_MS) break;
      this.attempts.delete(old);
    }
    this.attempts.delete(id);
    const received = messages.map((message) => ({ message, delivery: message.delivery }));
    this.attempts.set(id, { at: now, received });
  }

  /** The messages of an attempt, as long as none was deleted, made visible, or given another timeout. */
  find(id: string, now: number): Message[] | undefined {
    const attempt = this.attempts.get(id);
    if (!attempt || now >= attempt.at + DEDUPLICATION_WINDOW_MS) return undefined;
    const untouched = attempt.received.every(
      ({ message, delivery }) => message.state === 'inFlight' && message.delivery === delivery,
    );
    return untouched ? attempt.received.map(({ message }) => message) : undefined;
  }
}
