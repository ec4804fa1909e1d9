import type { Clock } from '../../clock.ts';
import { DeduplicationWindow, DEDUPLICATION_WINDOW_MS } from './deduplication-window.ts';
import { SqsError, invalidParameter, missingParameter, noSuchQueue } from './errors.ts';
import { changeAttributes, defaultAttributes, type Attributes } from './queue-attributes.ts';
import { Queue, deduplicationKey, type QueueHost } from './queue.ts';
import { checkRedriveTarget, parseRedrivePolicy } from './redrive-policy.ts';
import type { SqsStore } from './store.ts';

export const ACCOUNT_ID = '000000000000';

/** All queues of the one account. */
export class Queues implements QueueHost {
  readonly deduplication: DeduplicationWindow;
  private readonly byName = new Map<string, Queue>();
  private lastSequence: number;

  constructor(
    readonly store: SqsStore,
    readonly clock: Clock,
    private readonly region: string,
  ) {
    this.deduplication = new DeduplicationWindow(store.deduplication, clock);
    // Microseconds: numbers go on rising after a restart even if every message is gone.
    this.lastSequence = clock.now() * 1000;
    for (const [name, record] of store.queues.entries()) this.byName.set(name, this.open(record));
    this.restoreMessages();
  }

  nextSequence(): number {
    this.lastSequence += 1;
    return this.lastSequence;
  }

  find(name: string): Queue | undefined {
    return this.byName.get(name);
  }

  findByArn(arn: string): Queue | undefined {
    const queue = this.find(arn.split(':').at(-1) ?? '');
    return queue?.arn === arn ? queue : undefined;
  }

  /** By the last part of the URL, so that a URL from before a restart on another port still works. */
  byUrl(url: string | undefined): Queue {
    if (!url) throw missingParameter('QueueUrl');
    const queue = this.find(url.split('/').at(-1) ?? '');
    if (!queue) throw noSuchQueue();
    return queue;
  }

  all(): Queue[] {
    return [...this.byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The queues whose redrive policy names this one. */
  sourcesOf(deadLetterQueue: Queue): Queue[] {
    return this.all().filter((queue) => queue.settings.redrive?.deadLetterTargetArn === deadLetterQueue.arn);
  }

  create(name: string, attributes: Attributes, tags: Record<string, string>): Queue {
    const existing = this.find(name);
    if (existing) return sameQueue(existing, attributes);
    const fifo = attributes['FifoQueue'] === 'true';
    checkName(name, fifo);
    const now = this.clock.now();
    const record = {
      name,
      attributes: changeAttributes(defaultAttributes(fifo), attributes, fifo),
      tags,
      createdAt: now,
      modifiedAt: now,
    };
    this.checkRedrive({ arn: this.arnOf(name), fifo }, attributes);
    const queue = this.open(record);
    this.store.queues.set(name, record);
    this.byName.set(name, queue);
    return queue;
  }

  setAttributes(queue: Queue, change: Attributes): void {
    if (change['FifoQueue'] !== undefined && change['FifoQueue'] !== queue.record.attributes['FifoQueue']) {
      throw new SqsError('InvalidAttributeName', 'FifoQueue cannot be changed once the queue exists.');
    }
    const attributes = changeAttributes(queue.record.attributes, change, queue.fifo);
    this.checkRedrive(queue, change);
    queue.update({ ...queue.record, attributes, modifiedAt: this.clock.now() });
  }

  delete(queue: Queue): void {
    for (const message of queue.contents.all()) queue.discard(message);
    queue.close();
    this.deduplication.forgetQueue(queue.name);
    this.byName.delete(queue.name);
    this.store.queues.delete(queue.name);
  }

  close(): void {
    for (const queue of this.byName.values()) queue.close();
  }

  private open(record: Queue['record']): Queue {
    return new Queue(record, this.arnOf(record.name), this);
  }

  private arnOf(name: string): string {
    return `arn:aws:sqs:${this.region}:${ACCOUNT_ID}:${name}`;
  }

  private checkRedrive(source: { arn: string; fifo: boolean }, change: Attributes): void {
    const text = change['RedrivePolicy'];
    const policy = parseRedrivePolicy(text);
    if (text && policy) checkRedriveTarget(text, source, this.findByArn(policy.deadLetterTargetArn));
  }

  private restoreMessages(): void {
    const bySequence = [...this.store.messages.entries()]
      .map(([, message]) => message)
      .sort((a, b) => a.sequence - b.sequence);
    for (const message of bySequence) {
      this.lastSequence = Math.max(this.lastSequence, message.sequence);
      const queue = this.find(message.queue);
      if (!queue) {
        this.store.messages.delete(message.id);
        continue;
      }
      // A crash may have come between storing the message and storing its deduplication id.
      const key = deduplicationKey(queue, message);
      const recent = this.clock.now() < message.sentAt + DEDUPLICATION_WINDOW_MS;
      if (key !== undefined && recent && !this.deduplication.find(key))
        this.deduplication.remember(key, message);
      queue.admit(message);
    }
    for (const [id] of [...this.store.deliveries.entries()]) {
      if (!this.store.messages.get(id)) this.store.deliveries.delete(id);
    }
  }
}

function sameQueue(queue: Queue, attributes: Attributes): Queue {
  const different = Object.keys(attributes).find(
    (name) => queue.record.attributes[name] !== attributes[name],
  );
  if (different === undefined) return queue;
  const message = `A queue already exists with the same name and a different value for attribute ${different}`;
  throw new SqsError('QueueNameExists', message);
}

function checkName(name: string, fifo: boolean): void {
  if (/^[A-Za-z0-9_-]{1,80}$/.test(fifo ? name.replace(/\.fifo$/, '') : name) && name.length <= 80) {
    if (!fifo || name.endsWith('.fifo')) return;
  }
  throw invalidParameter(
    fifo
      ? 'The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length.'
      : 'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
  );
}
