/** As on the wire: a binary value is base64 text. */
export interface MessageAttribute {
  DataType: string;
  StringValue?: string;
  BinaryValue?: string;
}

export type MessageAttributes = Record<string, MessageAttribute>;

/** What a sender handed in, and what SQS noted down when the message entered the queue. */
export interface StoredMessage {
  readonly id: string;
  readonly queue: string;
  /** Position in the queue; rises over all queues. */
  readonly sequence: number;
  readonly body: string;
  readonly attributes: MessageAttributes;
  readonly traceHeader?: string;
  readonly groupId?: string;
  readonly deduplicationId?: string;
  readonly sentAt: number;
  readonly delayUntil: number;
  /** Set when the message came here by the redrive policy of another queue. */
  readonly deadLetterSourceArn?: string;
  readonly receivesElsewhere?: number;
  readonly firstReceivedElsewhereAt?: number;
}

/** What receivers did to a message; kept apart because it changes often and the body never does. */
export interface Delivery {
  /** Ties it to one stay in one queue: a record left by the queue before is void. */
  readonly sequence: number;
  readonly receives: number;
  readonly firstReceivedAt: number;
  readonly receivedAt: number;
  readonly hiddenUntil: number;
  readonly receiptHandle: string;
}

export type MessageState = 'delayed' | 'visible' | 'inFlight';

export interface Message {
  readonly stored: StoredMessage;
  delivery: Delivery | undefined;
  state: MessageState;
}

/** A message of a standard queue without a group is a group of its own. */
export function groupOf(message: Message, fifo: boolean): string {
  return fifo ? (message.stored.groupId ?? '') : message.stored.id;
}

/** SQS promises a 20-digit number that rises, not one without gaps. */
export function sequenceNumber(sequence: number): string {
  return `1${String(sequence).padStart(19, '0')}`;
}
