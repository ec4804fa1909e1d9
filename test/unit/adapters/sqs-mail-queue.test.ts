import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import type { SQSRecord } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  messagesQueued,
  receivedMessage,
  sqsHeldMessages,
  sqsMailQueue,
} from '../../../shared/adapters/sqs-mail-queue.ts';
import type { QueueName } from '../../../shared/domain/lanes.ts';
import type { Enqueue } from '../../../shared/ports/mail-queue.ts';
import { aJob } from '../../factories/a-job.ts';
import { aMessage } from '../../factories/a-message.ts';
import { OUTBOX_ID } from '../../factories/an-email.ts';

const sqs = mockClient(SQSClient);
beforeEach(() => sqs.reset());

const client = () => new SQSClient({ region: 'us-east-1' });
const URLS = { express: 'https://sqs.example/1/express.fifo', bulk: 'https://sqs.example/1/bulk.fifo' };
const entry = (seq: number, queue: QueueName = 'express'): Enqueue => ({
  queue,
  group: 'group',
  job: aJob({ seq }),
});
const batches = () => sqs.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input);

describe('sending', () => {
  it('goes ten at a time, in order, each queue for itself', async () => {
    sqs.on(SendMessageBatchCommand).resolves({});
    const entries = Array.from({ length: 25 }, (_, i) => entry(i + 1, i < 12 ? 'express' : 'bulk'));
    expect(await sqsMailQueue(client(), URLS).send(entries)).toEqual(new Map());
    expect(batches().map(({ QueueUrl, Entries }) => [QueueUrl, Entries?.length])).toEqual([
      [URLS.express, 10],
      [URLS.express, 2],
      [URLS.bulk, 10],
      [URLS.bulk, 3],
    ]);
    expect(batches()[1]?.Entries?.[0]).toEqual({
      Id: '10',
      MessageBody: JSON.stringify(aJob({ seq: 11 })),
      MessageGroupId: 'group',
      MessageDeduplicationId: `${OUTBOX_ID}:11`,
    });
  });

  it('tells which ones SQS did not take, by their position', async () => {
    sqs
      .on(SendMessageBatchCommand)
      .resolvesOnce({ Failed: [{ Id: '1', Code: 'InternalError', Message: 'later', SenderFault: false }] })
      .resolves({ Failed: [{ Id: '2', Code: 'Throttled', Message: 'slow', SenderFault: false }] } as never);
    const refused = await sqsMailQueue(client(), URLS).send([entry(1), entry(2), entry(3, 'bulk')]);
    expect([...refused]).toEqual([
      [1, 'InternalError: later'],
      [2, 'Throttled: slow'],
    ]);
  });

  it('a call that fails refuses its ten, and the others go', async () => {
    sqs.on(SendMessageBatchCommand).resolvesOnce({}).rejectsOnce(new Error('reset')).resolves({});
    const refused = await sqsMailQueue(client(), URLS).send(
      Array.from({ length: 25 }, (_, i) => entry(i + 1)),
    );
    expect([...refused.keys()]).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(refused.get(10)).toContain('reset');
    expect(batches()).toHaveLength(3);
  });

  it('of nothing calls nobody', async () => {
    expect(await sqsMailQueue(client(), URLS).send([])).toEqual(new Map());
    expect(sqs.calls()).toHaveLength(0);
  });
});

describe('a held message', () => {
  it.each([
    [0, 0],
    [0.2, 1],
    [1, 1],
    [-3, 0],
    [100_000, 43_200],
  ])('hidden for %d s is hidden for %i', async (seconds, told) => {
    sqs.on(ChangeMessageVisibilityCommand).resolves({});
    await sqsHeldMessages(client(), URLS).hide(aMessage({ queue: 'bulk' }), seconds);
    expect(sqs.commandCalls(ChangeMessageVisibilityCommand)[0]?.args[0].input).toEqual({
      QueueUrl: URLS.bulk,
      ReceiptHandle: 'message-1/1',
      VisibilityTimeout: told,
    });
  });

  it('is copied word by word, into its own lane, once', async () => {
    sqs.on(SendMessageCommand).resolves({});
    await sqsHeldMessages(client(), URLS).copy(aMessage({ body: 'words', group: 'lane' }));
    expect(sqs.commandCalls(SendMessageCommand)[0]?.args[0].input).toEqual({
      QueueUrl: URLS.express,
      MessageBody: 'words',
      MessageGroupId: 'lane',
      MessageDeduplicationId: 'copy:message-1',
    });
  });

  it('says so if that failed', async () => {
    sqs.on(ChangeMessageVisibilityCommand).rejects(new Error('gone'));
    await expect(sqsHeldMessages(client(), URLS).hide(aMessage(), 1)).rejects.toThrow('gone');
  });
});

it('counts what is in flight, too, in both queues', async () => {
  const attributes = (visible: string, inFlight: string) => ({
    Attributes: {
      ApproximateNumberOfMessages: visible,
      ApproximateNumberOfMessagesNotVisible: inFlight,
    },
  });
  sqs.on(GetQueueAttributesCommand, { QueueUrl: URLS.express }).resolves(attributes('7', '3'));
  sqs.on(GetQueueAttributesCommand, { QueueUrl: URLS.bulk }).resolves(attributes('5000', '0'));
  expect(await messagesQueued(client(), URLS)).toBe(5010);
});

describe('a record of Lambda', () => {
  const record = (queue: string): SQSRecord => ({
    messageId: 'm-1',
    receiptHandle: 'r-1',
    body: '{}',
    attributes: {
      ApproximateReceiveCount: '3',
      SentTimestamp: '1773144000000',
      MessageGroupId: 'c:normal',
      SenderId: '',
      ApproximateFirstReceiveTimestamp: '',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:us-east-1:1:${queue}`,
    awsRegion: 'us-east-1',
  });

  it.each(['express', 'bulk'] as const)('of %s is a message of %s', (queue) => {
    expect(receivedMessage(record(`${queue}.fifo`), URLS)).toEqual({
      messageId: 'm-1',
      receiptHandle: 'r-1',
      queue,
      group: 'c:normal',
      body: '{}',
      receiveCount: 3,
      sentAt: 1773144000000,
    });
  });
});
