import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { DeduplicationWindow } from './deduplication-window.ts';
import { SqsError, invalidValue } from './errors.ts';
import { LongPolls } from './long-polls.ts';
import type { Delivery, Message, MessageAttributes, StoredMessage } from './message.ts';
import {
  LONGEST_VISIBILITY_SECONDS,
  settingsFrom,
  type Attributes,
  type QueueSettings,
} from './queue-attributes.ts';
import { QueueContents } from './queue-contents.ts';
import { messageIdOf, newReceiptHandle } from './receipt-handle.ts';
import { ReceiveAttempts } from './receive-attempts.ts';
import type { SqsStore } from './store.ts';

export interface QueueRecord {
  readonly name: string;
  readonly attributes: Attributes;
  readonly tags: Record<string, string>;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

/** What a queue needs of the account it lives in. */
export interface QueueHost {
  readonly clock: Clock;
  readonly store: SqsStore;
  readonly deduplication: DeduplicationWindow;
  nextSequence(): number;
  findByArn(arn: string): Queue | undefined;
}

export interface NewMessage {
  readonly body: string;
  readonly attributes: MessageAttributes;
  readonly traceHeader?: string;
  readonly groupId?: string;
  readonly deduplicationId?: string;
  readonly delayMs?: number;
}

export interface ReceiveRequest {
  readonly max: number;
  readonly visibilityMs: number;
  readonly attemptId?: string;
}

const PURGE_INTERVAL_MS = 60_000;

/** The operations on one queue. Each change is in the store before the call returns. */
export class Queue {
  readonly fifo: boolean;
  readonly contents: QueueContents;
  readonly polls: LongPolls;
  settings: QueueSettings;

  private readonly attempts = new ReceiveAttempts();
  private purgedAt = -Infinity;

  constructor(
    public record: QueueRecord,
    readonly arn: string,
    private readonly host: QueueHost,
  ) {
    this.fifo = record.name.endsWith('.fifo');
    this.settings = settingsFrom(record.attributes);
    this.polls = new LongPolls(host.clock, (request) => this.receive(request));
    this.contents = new QueueContents(
      this.fifo,
      host.clock,
      (outlived) => this.discard(outlived),
      () => this.polls.serve(),
    );
  }

  get name(): string {
    return this.record.name;
  }

  /** Takes in a message that the store holds already. */
  admit(stored: StoredMessage): void {
    const now = this.host.clock.now();
    const delivery = this.host.store.deliveryOf(stored);
    const hiddenUntil = Math.max(stored.delayUntil, delivery?.hiddenUntil ?? 0);
    const state = hiddenUntil <= now ? 'visible' : delivery ? 'inFlight' : 'delayed';
    this.contents.add({ stored, delivery, state }, hiddenUntil, stored.sentAt + this.settings.retentionMs);
  }

  send(message: NewMessage): { id: string; sequence: number } {
    const { clock, store, deduplication } = this.host;
    const key = deduplicationKey(this, message);
    const earlier = key === undefined ? undefined : deduplication.find(key);
    if (earlier) return { id: earlier.messageId, sequence: earlier.sequence };
    const now = clock.now();
    const { delayMs = this.settings.delayMs, ...content } = message;
    const stored: StoredMessage = {
      ...content,
      id: randomUUID(),
      queue: this.name,
      sequence: this.host.nextSequence(),
      sentAt: now,
      delayUntil: now + delayMs,
    };
    store.messages.set(stored.id, stored);
    if (key !== undefined) deduplication.remember(key, stored);
    this.admit(stored);
    return stored;
  }

  receive({ max, visibilityMs, attemptId }: ReceiveRequest): Message[] {
    this.contents.settle();
    const now = this.host.clock.now();
    const hiddenUntil = now + visibilityMs;
    let received = attemptId === undefined ? undefined : this.attempts.find(attemptId, now);
    if (received) {
      for (const message of received) this.hide(message, { ...message.delivery!, hiddenUntil });
    } else {
      received = this.contents.takeVisible(max, (message) => this.redrive(message));
      for (const message of received) this.hide(message, this.nextDelivery(message, hiddenUntil));
    }
    if (attemptId !== undefined && received.length > 0) this.attempts.remember(attemptId, received, now);
    return received;
  }

  delete(receiptHandle: string | undefined): void {
    this.contents.settle();
    const id = messageIdOf(receiptHandle, this.name);
    const message = this.contents.get(id);
    const current = message?.delivery?.receiptHandle === receiptHandle;
    if (this.fifo) {
      const movedAway = !message && this.host.store.messages.get(id) !== undefined;
      const expired = message && (!current || message.state !== 'inFlight');
      if (movedAway || expired) throw expiredHandle(receiptHandle);
    }
    // Deleting twice succeeds; so does, without effect, an outdated handle on a standard queue.
    if (message && current) this.discard(message);
  }

  changeVisibility(receiptHandle: string | undefined, timeoutMs: number): void {
    this.contents.settle();
    const message = this.contents.get(messageIdOf(receiptHandle, this.name));
    if (!message?.delivery) {
      const reason = 'Message does not exist or is not available for visibility timeout change.';
      throw invalidValue('ReceiptHandle', receiptHandle, reason);
    }
    if (message.state !== 'inFlight') {
      throw new SqsError('MessageNotInflight', 'The specified message is not in flight.');
    }
    if (message.delivery.receiptHandle !== receiptHandle) throw expiredHandle(receiptHandle);
    const hiddenUntil = this.host.clock.now() + timeoutMs;
    if (hiddenUntil > message.delivery.receivedAt + LONGEST_VISIBILITY_SECONDS * 1000) {
      const reason = `Total VisibilityTimeout for the message is beyond the limit [${LONGEST_VISIBILITY_SECONDS} seconds]`;
      throw invalidValue('VisibilityTimeout', timeoutMs / 1000, reason);
    }
    this.hide(message, { ...message.delivery, hiddenUntil });
    this.contents.settle();
  }

  /** The message that a move task takes next: a dead-letter queue is emptied from the oldest on. */
  oldestVisible(): Message | undefined {
    this.contents.settle();
    return this.contents.oldestVisible();
  }

  discard(message: Message): void {
    this.host.store.messages.delete(message.stored.id);
    this.host.store.deliveries.delete(message.stored.id);
    this.contents.remove(message);
  }

  purge(): void {
    const now = this.host.clock.now();
    if (now < this.purgedAt + PURGE_INTERVAL_MS) {
      const message = `Only one PurgeQueue operation on ${this.name} is allowed every 60 seconds.`;
      throw new SqsError('PurgeQueueInProgress', message);
    }
    this.purgedAt = now;
    for (const message of this.contents.all()) this.discard(message);
  }

  update(record: QueueRecord): void {
    const { retentionMs } = this.settings;
    this.record = record;
    this.settings = settingsFrom(record.attributes);
    this.host.store.queues.set(record.name, record);
    if (this.settings.retentionMs !== retentionMs) {
      for (const message of this.contents.all()) {
        this.contents.keep(message, message.stored.sentAt + this.settings.retentionMs);
      }
    }
  }

  close(): void {
    this.polls.close();
    this.contents.close();
  }

  private nextDelivery(message: Message, hiddenUntil: number): Delivery {
    const now = this.host.clock.now();
    return {
      sequence: message.stored.sequence,
      receives: (message.delivery?.receives ?? 0) + 1,
      firstReceivedAt: message.delivery?.firstReceivedAt ?? now,
      receivedAt: now,
      hiddenUntil,
      receiptHandle: newReceiptHandle(this.name, message.stored.id),
    };
  }

  private hide(message: Message, delivery: Delivery): void {
    message.delivery = delivery;
    this.host.store.deliveries.set(message.stored.id, delivery);
    this.contents.hide(message, delivery.hiddenUntil);
  }

  /** Moves a message that was received often enough; says whether it did. */
  private redrive(message: Message): boolean {
    const { redrive } = this.settings;
    const { stored, delivery } = message;
    if (!redrive || !delivery || delivery.receives < redrive.maxReceiveCount) return false;
    const target = this.host.findByArn(redrive.deadLetterTargetArn);
    if (!target) return false;
    const now = this.host.clock.now();
    const moved: StoredMessage = {
      ...stored,
      queue: target.name,
      sequence: this.host.nextSequence(),
      // A FIFO message starts its retention afresh; a standard one keeps the time at which it was sent.
      sentAt: this.fifo ? now : stored.sentAt,
      delayUntil: now,
      deadLetterSourceArn: this.arn,
      receivesElsewhere: (stored.receivesElsewhere ?? 0) + delivery.receives,
      firstReceivedElsewhereAt: stored.firstReceivedElsewhereAt ?? delivery.firstReceivedAt,
      ...(this.fifo && { deduplicationId: stored.id }),
    };
    this.contents.remove(message);
    this.host.store.messages.set(moved.id, moved);
    this.host.store.deliveries.delete(moved.id);
    target.admit(moved);
    return true;
  }
}

/** Undefined for a message that is not deduplicated. */
export function deduplicationKey(
  queue: Queue,
  message: { readonly deduplicationId?: string; readonly groupId?: string },
): string | undefined {
  if (message.deduplicationId === undefined) return undefined;
  const group = queue.settings.deduplicatesPerGroup ? message.groupId : undefined;
  return JSON.stringify([queue.name, message.deduplicationId, group]);
}

function expiredHandle(receiptHandle: string | undefined): SqsError {
  return invalidValue('ReceiptHandle', receiptHandle, 'The receipt handle has expired.');
}
