import type { EmailSendJobData } from '../domain/email-job.ts';
import type { QueueName } from '../domain/lanes.ts';

export interface Enqueue {
  readonly queue: QueueName;
  readonly group: string;
  readonly job: EmailSendJobData;
}

export interface MailQueue {
  /** Sends in the given order, ten at a time; returns the positions that SQS did not take, with its reason. */
  send(entries: readonly Enqueue[]): Promise<ReadonlyMap<number, string>>;
}

export interface ReceivedMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly queue: QueueName;
  readonly group: string;
  readonly body: string;
  readonly receiveCount: number;
  readonly sentAt: number;
}

export interface HeldMessages {
  /** The message is seen again in `seconds`; until then it holds its lane. */
  hide(message: ReceivedMessage, seconds: number): Promise<void>;
  /** Puts a copy of a message that this code cannot read back into its lane. */
  copy(message: ReceivedMessage): Promise<void>;
}
