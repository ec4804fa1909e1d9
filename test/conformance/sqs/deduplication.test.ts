import { DeleteMessageCommand } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { LocalSqs } from './local-sqs.ts';

const sqs = LocalSqs.forEachTest();
const FIVE_MINUTES = 5 * 60_000;
const same = { MessageDeduplicationId: 'same' };

it('accepts a repeated deduplication id, answers as the first time and delivers once', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  const first = await sqs.send(queue, 'one', same);
  const second = await sqs.send(queue, 'another body', same);
  expect(second.MessageId).toBe(first.MessageId);
  expect(second.SequenceNumber).toBe(first.SequenceNumber);
  expect(await sqs.receiveBodies(queue)).toEqual(['one']);
});

it('remembers a deduplication id for five minutes', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  await sqs.send(queue, 'one', same);
  sqs.clock.advance(FIVE_MINUTES - 1);
  await sqs.send(queue, 'copy', same);
  sqs.clock.advance(1);
  await sqs.send(queue, 'two', same);
  expect(await sqs.receiveBodies(queue)).toEqual(['one', 'two']);
});

it('remembers it after the message was deleted', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  await sqs.send(queue, 'one', same);
  const [message] = await sqs.receive(queue);
  await sqs.client.send(new DeleteMessageCommand({ QueueUrl: queue, ReceiptHandle: message!.ReceiptHandle }));
  await sqs.send(queue, 'copy', same);
  expect(await sqs.receive(queue)).toEqual([]);
});

it('deduplicates across the groups of a queue', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  await sqs.send(queue, 'one', { ...same, MessageGroupId: 'a' });
  await sqs.send(queue, 'copy', { ...same, MessageGroupId: 'b' });
  expect(await sqs.receiveBodies(queue)).toEqual(['one']);
});

it('deduplicates within each group when the scope is the group', async () => {
  const queue = await sqs.createQueue('mail.fifo', { DeduplicationScope: 'messageGroup' });
  await sqs.send(queue, 'one', { ...same, MessageGroupId: 'a' });
  await sqs.send(queue, 'copy', { ...same, MessageGroupId: 'a' });
  await sqs.send(queue, 'two', { ...same, MessageGroupId: 'b' });
  expect(await sqs.receiveBodies(queue)).toEqual(['one', 'two']);
});

it('does not deduplicate across queues', async () => {
  const [first, second] = [await sqs.createQueue('a.fifo'), await sqs.createQueue('b.fifo')];
  await sqs.send(first, 'one', same);
  await sqs.send(second, 'two', same);
  expect(await sqs.receiveBodies(second)).toEqual(['two']);
});

it('makes the deduplication id from the body where the queue says so', async () => {
  const queue = await sqs.createQueue('mail.fifo', { ContentBasedDeduplication: 'true' });
  const none = { MessageDeduplicationId: undefined };
  await sqs.send(queue, 'one', none);
  await sqs.send(queue, 'one', none);
  await sqs.send(queue, 'two', none);
  expect(await sqs.receiveBodies(queue)).toEqual(['one', 'two']);
});

it('prefers a given deduplication id to the one from the body', async () => {
  const queue = await sqs.createQueue('mail.fifo', { ContentBasedDeduplication: 'true' });
  await sqs.send(queue, 'one', { MessageDeduplicationId: 'a' });
  await sqs.send(queue, 'one', { MessageDeduplicationId: 'b' });
  expect(await sqs.receiveBodies(queue)).toEqual(['one', 'one']);
});
