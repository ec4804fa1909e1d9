import { SqsError, invalidParameter } from './errors.ts';
import { parseRedriveAllowPolicy, parseRedrivePolicy, type RedrivePolicy } from './redrive-policy.ts';

export type Attributes = Record<string, string>;

/** The attributes of a queue in the form the queue works with. */
export interface QueueSettings {
  readonly visibilityMs: number;
  readonly delayMs: number;
  readonly retentionMs: number;
  readonly receiveWaitMs: number;
  readonly maximumMessageSize: number;
  readonly contentBasedDeduplication: boolean;
  readonly deduplicatesPerGroup: boolean;
  readonly redrive: RedrivePolicy | undefined;
}

export const LARGEST_MESSAGE = 1_048_576;
export const LONGEST_VISIBILITY_SECONDS = 43_200;

const DEFAULTS: Attributes = {
  VisibilityTimeout: '30',
  MaximumMessageSize: String(LARGEST_MESSAGE),
  MessageRetentionPeriod: '345600',
  DelaySeconds: '0',
  ReceiveMessageWaitTimeSeconds: '0',
  SqsManagedSseEnabled: 'true',
};

const FIFO_DEFAULTS: Attributes = {
  FifoQueue: 'true',
  ContentBasedDeduplication: 'false',
  DeduplicationScope: 'queue',
  FifoThroughputLimit: 'perQueue',
};

const RANGES: Record<string, [least: number, most: number]> = {
  VisibilityTimeout: [0, LONGEST_VISIBILITY_SECONDS],
  MaximumMessageSize: [1024, LARGEST_MESSAGE],
  MessageRetentionPeriod: [60, 1_209_600],
  DelaySeconds: [0, 900],
  ReceiveMessageWaitTimeSeconds: [0, 20],
  KmsDataKeyReusePeriodSeconds: [60, 86_400],
};

const CHOICES: Record<string, string[]> = {
  SqsManagedSseEnabled: ['true', 'false'],
  FifoQueue: ['true'],
  ContentBasedDeduplication: ['true', 'false'],
  DeduplicationScope: ['queue', 'messageGroup'],
  FifoThroughputLimit: ['perQueue', 'perMessageGroupId'],
};

/** Free text; the empty text takes the attribute away. */
const TEXTS = ['Policy', 'RedrivePolicy', 'RedriveAllowPolicy', 'KmsMasterKeyId'];

export const MEASURED = [
  'QueueArn',
  'CreatedTimestamp',
  'LastModifiedTimestamp',
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
];

export const ATTRIBUTE_NAMES = new Set([
  ...MEASURED,
  ...Object.keys(RANGES),
  ...Object.keys(CHOICES),
  ...TEXTS,
]);

export function defaultAttributes(fifo: boolean): Attributes {
  return fifo ? { ...DEFAULTS, ...FIFO_DEFAULTS } : { ...DEFAULTS };
}

/** What the attributes are after a change, if SQS would accept it. */
export function changeAttributes(before: Attributes, change: Attributes, fifo: boolean): Attributes {
  const after = { ...before };
  for (const [name, value] of Object.entries(change)) {
    checkAttribute(name, value, fifo);
    if (value === '') delete after[name];
    else after[name] = value;
  }
  if (
    after['FifoThroughputLimit'] === 'perMessageGroupId' &&
    after['DeduplicationScope'] !== 'messageGroup'
  ) {
    throw invalidParameter(
      'The perMessageGroupId throughput limit needs the messageGroup deduplication scope.',
    );
  }
  return after;
}

export function settingsFrom(attributes: Attributes): QueueSettings {
  const ms = (name: string) => Number(attributes[name]) * 1000;
  return {
    visibilityMs: ms('VisibilityTimeout'),
    delayMs: ms('DelaySeconds'),
    retentionMs: ms('MessageRetentionPeriod'),
    receiveWaitMs: ms('ReceiveMessageWaitTimeSeconds'),
    maximumMessageSize: Number(attributes['MaximumMessageSize']),
    contentBasedDeduplication: attributes['ContentBasedDeduplication'] === 'true',
    deduplicatesPerGroup: attributes['DeduplicationScope'] === 'messageGroup',
    redrive: parseRedrivePolicy(attributes['RedrivePolicy']),
  };
}

function checkAttribute(name: string, value: string, fifo: boolean): void {
  if (!ATTRIBUTE_NAMES.has(name) || MEASURED.includes(name)) {
    throw new SqsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
  }
  if (!fifo && name in FIFO_DEFAULTS) {
    const message = name === 'FifoQueue' ? 'Unknown Attribute FifoQueue.' : `${name} needs a FIFO queue.`;
    throw new SqsError('InvalidAttributeName', message);
  }
  const range = RANGES[name];
  const inRange = !range || (/^\d+$/.test(value) && Number(value) >= range[0] && Number(value) <= range[1]);
  if (!inRange || CHOICES[name]?.includes(value) === false) {
    throw new SqsError('InvalidAttributeValue', `Invalid value for the parameter ${name}.`);
  }
  if (name === 'RedrivePolicy') parseRedrivePolicy(value);
  if (name === 'RedriveAllowPolicy') parseRedriveAllowPolicy(value);
}
