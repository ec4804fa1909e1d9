import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  ListQueueTagsCommand,
  PurgeQueueCommand,
  StartMessageMoveTaskCommand,
  TagQueueCommand,
} from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { LocalSqs, bodies, receiveCounts } from './local-sqs.ts';

const sqs = LocalSqs.forEachTest();

describe('a restart keeps', () => {
  it('queues, their attributes and tags', async () => {
    const QueueUrl = await sqs.createQueue('mail.fifo', { VisibilityTimeout: '77' });
    await sqs.client.send(new TagQueueCommand({ QueueUrl, Tags: { team: 'mail' } }));
    await sqs.restart();
    const url = sqs.queueUrl('mail.fifo');
    const { Attributes } = await sqs.client.send(
      new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['VisibilityTimeout'] }),
    );
    expect(Attributes).toEqual({ VisibilityTimeout: '77' });
    const { Tags } = await sqs.client.send(new ListQueueTagsCommand({ QueueUrl: url }));
    expect(Tags).toEqual({ team: 'mail' });
  });

  it('messages with their ids, content and order', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    const MessageAttributes = { k: { DataType: 'Binary', BinaryValue: new Uint8Array([0, 255]) } };
    const first = await sqs.send(queue, 'ação\r\n😀', { MessageAttributes });
    const second = await sqs.send(queue, 'two');
    await sqs.restart();
    const third = await sqs.send(sqs.queueUrl('mail.fifo'), 'three');
    const received = await sqs.receive(sqs.queueUrl('mail.fifo'), { MessageAttributeNames: ['All'] });
    expect(received).toMatchObject([
      { MessageId: first.MessageId, Body: 'ação\r\n😀', MessageAttributes },
      { MessageId: second.MessageId, Body: 'two' },
      { MessageId: third.MessageId, Body: 'three' },
    ]);
    expect(third.SequenceNumber! > second.SequenceNumber!).toBe(true);
  });

  it('what was deleted away', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    await sqs.send(queue, 'one');
    const [message] = await sqs.receive(queue);
    await sqs.delete(queue, message!);
    await sqs.restart();
    sqs.clock.advance(30_000);
    expect(await sqs.counts(sqs.queueUrl('mail.fifo'))).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  it('messages in flight, their handles, and their group closed', async () => {
    const before = await sqs.createQueue('mail.fifo');
    await sqs.send(before, 'one');
    await sqs.send(before, 'two');
    const [held] = await sqs.receive(before, { MaxNumberOfMessages: 1 });
    await sqs.restart();
    const queue = sqs.queueUrl('mail.fifo');
    expect(await sqs.counts(queue)).toEqual({ visible: 1, inFlight: 1, delayed: 0 });
    expect(await sqs.receive(queue)).toEqual([]);
    await sqs.delete(queue, held!);
    expect(await sqs.receiveBodies(queue)).toEqual(['two']);
  });

  it('visibility timeouts and receive counts', async () => {
    const before = await sqs.createQueue('mail.fifo');
    await sqs.send(before, 'one');
    await sqs.send(before, 'two');
    await sqs.receive(before, { MaxNumberOfMessages: 1 });
    await sqs.restart();
    const queue = sqs.queueUrl('mail.fifo');
    sqs.clock.advance(29_999);
    expect(await sqs.receive(queue)).toEqual([]);
    sqs.clock.advance(1);
    const received = await sqs.receive(queue);
    expect(bodies(received)).toEqual(['one', 'two']);
    expect(receiveCounts(received)).toEqual([2, 1]);
  });

  it('time that passes while nothing runs', async () => {
    const before = await sqs.createQueue('mail.fifo', { MessageRetentionPeriod: '60' });
    await sqs.send(before, 'old');
    sqs.clock.advance(40_000);
    await sqs.send(before, 'young', { MessageGroupId: 'other' });
    await sqs.receive(before);
    await sqs.restartAfter(30_000);
    const received = await sqs.receive(sqs.queueUrl('mail.fifo'));
    expect(bodies(received)).toEqual(['young']);
    expect(receiveCounts(received)).toEqual([2]);
  });

  it('a delay that is not over', async () => {
    const before = await sqs.createQueue('mail.fifo', { DelaySeconds: '10' });
    await sqs.send(before, 'later');
    await sqs.restart();
    const queue = sqs.queueUrl('mail.fifo');
    expect(await sqs.counts(queue)).toEqual({ visible: 0, inFlight: 0, delayed: 1 });
    sqs.clock.advance(10_000);
    expect(await sqs.receiveBodies(queue)).toEqual(['later']);
  });

  it('the deduplication window, for deleted messages too', async () => {
    const before = await sqs.createQueue('mail.fifo');
    const same = { MessageDeduplicationId: 'same' };
    const first = await sqs.send(before, 'one', same);
    const [message] = await sqs.receive(before);
    await sqs.delete(before, message!);
    await sqs.restart();
    const queue = sqs.queueUrl('mail.fifo');
    sqs.clock.advance(299_999);
    const second = await sqs.send(queue, 'copy', same);
    expect(second.MessageId).toBe(first.MessageId);
    expect(second.SequenceNumber).toBe(first.SequenceNumber);
    expect(await sqs.receive(queue)).toEqual([]);
    sqs.clock.advance(1);
    await sqs.send(queue, 'new', same);
    expect(await sqs.receiveBodies(queue)).toEqual(['new']);
  });

  it('where a dead letter came from', async () => {
    const { queue } = await sqs.createQueueWithDeadLetters('mail.fifo', 1);
    const sent = await sqs.send(queue, 'bad');
    await sqs.receive(queue, { VisibilityTimeout: 0 });
    await sqs.receive(queue);
    await sqs.restart();
    const [message] = await sqs.receive(sqs.queueUrl('dead.fifo'));
    expect(message!.MessageId).toBe(sent.MessageId);
    expect(message!.Attributes).toMatchObject({
      DeadLetterQueueSourceArn: sqs.arn('mail.fifo'),
      ApproximateReceiveCount: '2',
    });
    expect(await sqs.counts(sqs.queueUrl('mail.fifo'))).toMatchObject({ visible: 0, inFlight: 0 });
  });

  it('a move task running: it goes on where it was', async () => {
    const { dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 1);
    for (const body of ['1', '2', '3']) await sqs.send(dead, body);
    const SourceArn = sqs.arn('dead.fifo');
    await sqs.client.send(
      new StartMessageMoveTaskCommand({
        SourceArn,
        DestinationArn: sqs.arn('mail.fifo'),
        MaxNumberOfMessagesPerSecond: 1,
      }),
    );
    sqs.clock.advance(0);
    await sqs.restart();
    const list = async () => (await sqs.client.send(new ListMessageMoveTasksCommand({ SourceArn }))).Results;
    expect(await list()).toMatchObject([{ Status: 'RUNNING', ApproximateNumberOfMessagesMoved: 1 }]);
    sqs.clock.advance(3_000);
    expect(await list()).toMatchObject([{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 3 }]);
    expect(await sqs.receiveBodies(sqs.queueUrl('mail.fifo'))).toEqual(['1', '2', '3']);
  });
});

it('drops the line that a crash cut short, and nothing else', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  await sqs.send(queue, 'one');
  await sqs.restartAfter(0, () => appendFile(join(sqs.dataDir, 'messages.jsonl'), '["half","{'));
  expect(await sqs.receiveBodies(sqs.queueUrl('mail.fifo'))).toEqual(['one']);
});

it('does not grow with what has passed through', async () => {
  const QueueUrl = await sqs.createQueue('mail.fifo');
  const sizes = () => Promise.all(['messages.jsonl', 'deduplication.jsonl'].map(bytesIn));
  await sqs.sendMany(QueueUrl, 6_000);
  const [messagesBefore, deduplicationBefore] = await sizes();
  await sqs.client.send(new PurgeQueueCommand({ QueueUrl }));
  sqs.clock.advance(5 * 60_000);
  await sqs.send(QueueUrl, 'last');
  const [messagesAfter, deduplicationAfter] = await sizes();
  expect(messagesAfter).toBeLessThan(messagesBefore! / 2);
  expect(deduplicationAfter).toBeLessThan(deduplicationBefore! / 2);
});

async function bytesIn(file: string): Promise<number> {
  return (await stat(join(sqs.dataDir, file))).size;
}
