import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  type Message,
  type MessageAttributeValue,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Journal } from '../journal.ts';
import type { LambdaFunction } from '../lambda/lambda-function.ts';
import { LOCAL_REGION } from '../template/cloudformation.ts';
import { batchVerdict } from './batch-failures.ts';
import type { MappingSettings } from './mapping-settings.ts';

/** Lambda would scale to MaximumConcurrency; each poller keeps a worker busy, and laptops have few cores. */
const POLLERS_A_QUEUE = 4;
const LONG_POLL_SECONDS = 20;
const PAUSE_AFTER_ERROR_MS = 500;

export interface QueueMappingPorts {
  readonly queueUrl: string;
  readonly target: LambdaFunction;
  readonly sqs: SQSClient;
  /** The mapping that holds each receipt handle whose invocation is not over. */
  readonly inFlight: Journal<string>;
}

/** Lambda's poller for a queue. What is not deleted comes back by the queue's own visibility timeout. */
export class QueueMapping {
  private readonly stop = new AbortController();
  private readonly pollers: Promise<void>[] = [];

  constructor(
    private readonly settings: MappingSettings,
    private readonly ports: QueueMappingPorts,
  ) {}

  async start(): Promise<void> {
    await this.releaseOrphans();
    const pollers = Math.min(this.settings.maxConcurrency, POLLERS_A_QUEUE);
    for (let i = 0; i < pollers; i += 1) this.pollers.push(this.poll());
  }

  /** Takes no further messages and waits for the batches under way. */
  async close(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.pollers);
  }

  /**
   * On AWS the pollers outlive any one function. Here they died with an earlier process: what that held in
   * flight is made visible at once, instead of after a visibility timeout that nobody is left to use.
   */
  private async releaseOrphans(): Promise<void> {
    const { inFlight, sqs, queueUrl: QueueUrl } = this.ports;
    for (const [ReceiptHandle, mappingId] of [...inFlight.entries()]) {
      if (mappingId !== this.settings.id) continue;
      // Refused if its visibility timeout has passed: then it is visible already.
      await sqs
        .send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }))
        .catch(() => {});
      inFlight.delete(ReceiptHandle);
    }
  }

  private async poll(): Promise<void> {
    while (!this.stop.signal.aborted) {
      try {
        await this.handle(await this.receive());
      } catch {
        if (this.stop.signal.aborted) return;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_ERROR_MS));
      }
    }
  }

  private async receive(): Promise<Message[]> {
    const { Messages = [] } = await this.ports.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: this.ports.queueUrl,
        MaxNumberOfMessages: Math.min(this.settings.batchSize, 10),
        WaitTimeSeconds: LONG_POLL_SECONDS,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
      { abortSignal: this.stop.signal },
    );
    return Messages;
  }

  private async handle(messages: readonly Message[]): Promise<void> {
    const wanted = messages.filter((message) => this.accepts(message));
    await this.delete(messages.filter((message) => !wanted.includes(message)));
    if (wanted.length === 0) return;
    const { inFlight, target } = this.ports;
    for (const { ReceiptHandle } of wanted) inFlight.set(ReceiptHandle ?? '', this.settings.id);
    const Records = wanted.map((message) => queueRecord(message, this.settings.sourceArn));
    const result = await target.invoke({ Records });
    // The host ends invocations that outlast a shutdown: the next start releases their messages.
    if (!result.ok && this.stop.signal.aborted) return;
    for (const { ReceiptHandle } of wanted) inFlight.delete(ReceiptHandle ?? '');
    const identifiers = wanted.map((message) => message.MessageId ?? '');
    const verdict = batchVerdict(result, this.settings.reportsItemFailures, identifiers);
    if (verdict.kind === 'failure') return;
    const failed = verdict.kind === 'some' ? verdict.failed : new Set<string>();
    await this.delete(wanted.filter((message) => !failed.has(message.MessageId ?? '')));
  }

  /** A message that the filter does not want is deleted unseen, as on Lambda. */
  private accepts(message: Message): boolean {
    const record = queueRecord(message, this.settings.sourceArn);
    return this.settings.accepts({ ...record, body: parsedIfJson(message.Body ?? '') });
  }

  private async delete(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    const Entries = messages.map((message, index) => ({
      Id: String(index),
      ReceiptHandle: message.ReceiptHandle,
    }));
    await this.ports.sqs.send(new DeleteMessageBatchCommand({ QueueUrl: this.ports.queueUrl, Entries }));
  }
}

export function queueRecord(message: Message, eventSourceARN: string) {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, messageAttribute(value)]),
    ),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN,
    awsRegion: LOCAL_REGION,
  };
}

function messageAttribute(value: MessageAttributeValue) {
  return {
    ...(value.StringValue !== undefined && { stringValue: value.StringValue }),
    ...(value.BinaryValue !== undefined && {
      binaryValue: Buffer.from(value.BinaryValue).toString('base64'),
    }),
    stringListValues: [],
    binaryListValues: [],
    dataType: value.DataType,
  };
}

function parsedIfJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
