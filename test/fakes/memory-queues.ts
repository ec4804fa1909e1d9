import type { QueueName } from '../../shared/domain/lanes.ts';
import type { Enqueue, HeldMessages, MailQueue, ReceivedMessage } from '../../shared/ports/mail-queue.ts';
import { serviceError } from './service-error.ts';

interface Message {
  readonly messageId: string;
  readonly queue: QueueName;
  readonly group: string;
  readonly body: string;
  readonly sentAt: number;
  receives: number;
  visibleAt: number;
  receiptHandle?: string;
}

const VISIBILITY_MS = 360_000;
const DEDUPLICATION_MS = 300_000;
const MOST_RECEIVES = 5;

/** Two FIFO queues and their dead-letter queue, as far as the rooms can tell. */
export class MemoryQueues implements MailQueue, HeldMessages {
  readonly dead: Message[] = [];
  private messages: Message[] = [];
  private readonly seen = new Map<string, number>();
  private counter = 0;

  constructor(private readonly now: () => number) {}

  send(entries: readonly Enqueue[]): Promise<ReadonlyMap<number, string>> {
    for (const { queue, group, job } of entries)
      this.put(queue, group, JSON.stringify(job), `${job.outboxId}:${job.seq}`);
    return Promise.resolve(new Map());
  }

  copy(message: ReceivedMessage): Promise<void> {
    this.put(message.queue, message.group, message.body, `copy:${message.messageId}`);
    return Promise.resolve();
  }

  hide(received: ReceivedMessage, seconds: number): Promise<void> {
    const message = this.inFlight(received);
    if (!message) return Promise.reject(serviceError('MessageNotInflight'));
    message.visibleAt = this.now() + Math.ceil(seconds) * 1000;
    return Promise.resolve();
  }

  /** Up to `most` of the messages that may be seen now; one in flight hides the rest of its group. */
  receive(queue: QueueName, most = 10): ReceivedMessage[] {
    const held = new Set<string>();
    const received: ReceivedMessage[] = [];
    for (const message of this.messages.filter((each) => each.queue === queue)) {
      if (received.length === most) break;
      if (message.visibleAt > this.now()) held.add(message.group);
      if (held.has(message.group)) continue;
      if (message.receives >= MOST_RECEIVES) this.bury(message);
      else received.push(this.hand(message));
    }
    return received;
  }

  /** What Lambda does when an invocation answered: all but the reported ones are deleted. */
  finish(batch: readonly ReceivedMessage[], kept: readonly string[]): void {
    for (const received of batch.filter(({ messageId }) => !kept.includes(messageId))) {
      const message = this.inFlight(received);
      if (message) this.messages = this.messages.filter((each) => each !== message);
    }
  }

  /** The console's "redrive to source": new messages, with new ids, sent now. */
  redrive(): number {
    const moved = this.dead.splice(0);
    for (const { queue, group, body } of moved) this.put(queue, group, body);
    return moved.length;
  }

  empty(): void {
    this.messages = [];
  }

  all(): readonly Readonly<Message>[] {
    return this.messages;
  }

  put(queue: QueueName, group: string, body: string, deduplicationId?: string): void {
    const now = this.now();
    const name = `${queue} ${deduplicationId}`;
    if (deduplicationId !== undefined && (this.seen.get(name) ?? -Infinity) + DEDUPLICATION_MS > now) return;
    this.seen.set(name, now);
    this.counter += 1;
    const messageId = `message-${this.counter}`;
    this.messages.push({ messageId, queue, group, body, sentAt: now, receives: 0, visibleAt: now });
  }

  private hand(message: Message): ReceivedMessage {
    message.receives += 1;
    message.visibleAt = this.now() + VISIBILITY_MS;
    message.receiptHandle = `${message.messageId}/${message.receives}`;
    const { messageId, receiptHandle, queue, group, body, receives, sentAt } = message;
    return { messageId, receiptHandle, queue, group, body, receiveCount: receives, sentAt };
  }

  private inFlight({ receiptHandle }: ReceivedMessage): Message | undefined {
    return this.messages.find((each) => each.receiptHandle === receiptHandle && each.visibleAt > this.now());
  }

  private bury(message: Message): void {
    this.messages = this.messages.filter((each) => each !== message);
    this.dead.push(message);
  }
}
