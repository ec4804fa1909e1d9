import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  type Message,
  type ReceiveMessageCommandInput,
  type SendMessageCommandInput,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, vi } from 'vitest';
import { ManualClock } from '../../../local/clock.ts';
import { startSqs, type SqsEmulator } from '../../../local/emulators/sqs/server.ts';

/** Knows which delays were asked for and given up, so that a test can tell that a receiver waits or has left. */
class WatchedClock extends ManualClock {
  readonly delays: number[] = [];
  cancellations = 0;

  override after(ms: number, callback: () => void): () => void {
    this.delays.push(ms);
    const cancel = super.after(ms, callback);
    return () => {
      this.cancellations += 1;
      cancel();
    };
  }
}

/** The emulator and the unmodified SDK client, fresh for each test, on a clock that the test moves. */
export class LocalSqs {
  clock = new WatchedClock();
  client!: SQSClient;
  private emulator!: SqsEmulator;
  dataDir!: string;
  private lastDeduplicationId = 0;

  static forEachTest(): LocalSqs {
    const sqs = new LocalSqs();
    beforeEach(async () => {
      sqs.clock = new WatchedClock();
      sqs.dataDir = await mkdtemp(join(tmpdir(), 'sqs-'));
      await sqs.start();
    });
    afterEach(async () => {
      await sqs.stop();
      await rm(sqs.dataDir, { recursive: true });
    });
    return sqs;
  }

  get url(): string {
    return this.emulator.url;
  }

  queueUrl(name: string): string {
    return this.emulator.queueUrl(name);
  }

  arn(name: string): string {
    return `arn:aws:sqs:us-east-1:000000000000:${name}`;
  }

  /** Stops and starts on the same data, as far as the port allows on another one. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** The same, with time passing, and perhaps something happening to the data, while nothing runs. */
  async restartAfter(ms: number, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    await this.stop();
    this.clock.advance(ms);
    await meanwhile();
    await this.start();
  }

  async createQueue(QueueName: string, Attributes: Record<string, string> = {}): Promise<string> {
    const fifo = QueueName.endsWith('.fifo') ? { FifoQueue: 'true' } : {};
    const command = new CreateQueueCommand({ QueueName, Attributes: { ...fifo, ...Attributes } });
    return (await this.client.send(command)).QueueUrl!;
  }

  /** A FIFO queue whose messages go to `dead.fifo` after so many receives. */
  async createQueueWithDeadLetters(
    name: string,
    maxReceiveCount: number,
  ): Promise<{ queue: string; dead: string }> {
    const dead = await this.createQueue('dead.fifo');
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: this.arn('dead.fifo'), maxReceiveCount });
    return { dead, queue: await this.createQueue(name, { RedrivePolicy }) };
  }

  /** To a FIFO queue, with a deduplication id of its own unless one is given. */
  async send(QueueUrl: string, MessageBody: string, more: Partial<SendMessageCommandInput> = {}) {
    this.lastDeduplicationId += 1;
    const MessageDeduplicationId = `own-${this.lastDeduplicationId}`;
    const message = { QueueUrl, MessageBody, MessageGroupId: 'group', MessageDeduplicationId, ...more };
    return this.client.send(new SendMessageCommand(message));
  }

  /** So many messages, spread evenly over four groups; each body is its number. */
  async sendMany(QueueUrl: string, count: number): Promise<void> {
    for (let first = 0; first < count; first += 10) {
      const Entries = Array.from({ length: Math.min(10, count - first) }, (_, n) => ({
        Id: String(n),
        MessageBody: String(first + n),
        MessageGroupId: `group-${(first + n) % 4}`,
        MessageDeduplicationId: `many-${first + n}`,
      }));
      await this.client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    }
  }

  async receive(QueueUrl: string, more: Partial<ReceiveMessageCommandInput> = {}): Promise<Message[]> {
    const input = {
      QueueUrl,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['All' as const],
      ...more,
    };
    return (await this.client.send(new ReceiveMessageCommand(input))).Messages ?? [];
  }

  async receiveBodies(queueUrl: string, more: Partial<ReceiveMessageCommandInput> = {}): Promise<string[]> {
    return bodies(await this.receive(queueUrl, more));
  }

  delete(QueueUrl: string, { ReceiptHandle }: Message) {
    return this.client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }

  changeVisibility(QueueUrl: string, { ReceiptHandle }: Message, VisibilityTimeout: number) {
    const input = { QueueUrl, ReceiptHandle, VisibilityTimeout };
    return this.client.send(new ChangeMessageVisibilityCommand(input));
  }

  /** A receive that has certainly begun to wait; its timeout is 20 s, and every other wait in a test is shorter. */
  async startWaiting(queueUrl: string, more: Partial<ReceiveMessageCommandInput> = {}) {
    const waitingBefore = this.receiversSoFar();
    const messages = this.receive(queueUrl, { WaitTimeSeconds: 20, ...more });
    await vi.waitUntil(() => this.receiversSoFar() > waitingBefore, { timeout: 10_000, interval: 5 });
    return { messages };
  }

  async counts(QueueUrl: string): Promise<{ visible: number; inFlight: number; delayed: number }> {
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
    const { Attributes = {} } = await this.client.send(command);
    return {
      visible: Number(Attributes['ApproximateNumberOfMessages']),
      inFlight: Number(Attributes['ApproximateNumberOfMessagesNotVisible']),
      delayed: Number(Attributes['ApproximateNumberOfMessagesDelayed']),
    };
  }

  private receiversSoFar(): number {
    return this.clock.delays.filter((ms) => ms === 20_000).length;
  }

  private async start(): Promise<void> {
    this.emulator = await startSqs({ dataDir: this.dataDir, clock: this.clock });
    this.client = new SQSClient({
      endpoint: this.emulator.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    });
  }

  private async stop(): Promise<void> {
    this.client.destroy();
    await this.emulator.close();
  }
}

export function bodies(messages: Message[]): string[] {
  return messages.map(({ Body }) => Body!);
}

export function receiveCounts(messages: Message[]): number[] {
  return messages.map(({ Attributes }) => Number(Attributes?.['ApproximateReceiveCount']));
}
