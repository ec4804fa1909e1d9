import { PurgeQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { expect, it, vi } from 'vitest';
import { LocalSqs, bodies, receiveCounts } from './local-sqs.ts';

const sqs = LocalSqs.forEachTest();

it('wakes when a message is sent', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  const { messages } = await sqs.startWaiting(queue);
  await sqs.send(queue, 'one');
  expect(bodies(await messages)).toEqual(['one']);
});

it('wakes when a closed group is opened by a delete', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  await sqs.send(queue, 'one');
  await sqs.send(queue, 'two');
  const [first] = await sqs.receive(queue, { MaxNumberOfMessages: 1 });
  const { messages } = await sqs.startWaiting(queue);
  await sqs.delete(queue, first!);
  expect(bodies(await messages)).toEqual(['two']);
});

it('wakes when a message is made visible', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  await sqs.send(queue, 'one');
  const [first] = await sqs.receive(queue);
  const { messages } = await sqs.startWaiting(queue);
  await sqs.changeVisibility(queue, first!, 0);
  expect(receiveCounts(await messages)).toEqual([2]);
});

it('wakes when a visibility timeout is over', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  await sqs.send(queue, 'one');
  await sqs.receive(queue, { VisibilityTimeout: 5 });
  const { messages } = await sqs.startWaiting(queue);
  sqs.clock.advance(5_000);
  expect(receiveCounts(await messages)).toEqual([2]);
});

it('wakes when a delay is over', async () => {
  const queue = await sqs.createQueue('mail.fifo', { DelaySeconds: '5' });
  await sqs.send(queue, 'one');
  const { messages } = await sqs.startWaiting(queue);
  sqs.clock.advance(5_000);
  expect(bodies(await messages)).toEqual(['one']);
});

it('wakes when the message that closed a group goes to the dead-letter queue', async () => {
  const { queue, dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 1);
  await sqs.send(queue, 'bad');
  await sqs.send(queue, 'good');
  await sqs.receive(queue, { MaxNumberOfMessages: 1, VisibilityTimeout: 5 });
  const fromQueue = await sqs.startWaiting(queue);
  const fromDead = await sqs.startWaiting(dead);
  sqs.clock.advance(5_000);
  expect(bodies(await fromQueue.messages)).toEqual(['good']);
  expect(bodies(await fromDead.messages)).toEqual(['bad']);
});

it('serves who came first; who gets nothing goes on waiting', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  const first = await sqs.startWaiting(queue);
  const second = await sqs.startWaiting(queue);
  await sqs.send(queue, 'one');
  const [one] = await first.messages;
  expect(one!.Body).toBe('one');
  await sqs.send(queue, 'two');
  await sqs.delete(queue, one!);
  expect(bodies(await second.messages)).toEqual(['two']);
});

it('gives two waiting receivers a group each', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  const first = await sqs.startWaiting(queue);
  const second = await sqs.startWaiting(queue);
  await sqs.send(queue, 'a', { MessageGroupId: 'a' });
  await sqs.send(queue, 'b', { MessageGroupId: 'b' });
  expect(bodies([...(await first.messages), ...(await second.messages)])).toEqual(['a', 'b']);
});

it('answers with nothing when the time is over', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  const { messages } = await sqs.startWaiting(queue);
  sqs.clock.advance(20_000);
  expect(await messages).toEqual([]);
});

it('is not woken by the messages of another queue', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  const other = await sqs.createQueue('other.fifo');
  const { messages } = await sqs.startWaiting(queue);
  await sqs.send(other, 'one');
  sqs.clock.advance(20_000);
  expect(await messages).toEqual([]);
});

it('waits as long as the queue says when the receiver says nothing', async () => {
  const queue = await sqs.createQueue('mail.fifo', { ReceiveMessageWaitTimeSeconds: '20' });
  const { messages } = await sqs.startWaiting(queue, { WaitTimeSeconds: undefined });
  await sqs.send(queue, 'one');
  expect(bodies(await messages)).toEqual(['one']);
});

it('does not wait with 0, whatever the queue says', async () => {
  const queue = await sqs.createQueue('mail.fifo', { ReceiveMessageWaitTimeSeconds: '20' });
  expect(await sqs.receive(queue, { WaitTimeSeconds: 0 })).toEqual([]);
});

it('refuses to wait longer than 20 seconds', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  await expect(sqs.receive(queue, { WaitTimeSeconds: 21 })).rejects.toMatchObject({
    name: 'InvalidParameterValue',
  });
});

it('passes over a receiver that hung up', async () => {
  const QueueUrl = await sqs.createQueue('mail.fifo');
  const hangUp = new AbortController();
  const command = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 });
  const gone = sqs.client.send(command, { abortSignal: hangUp.signal });
  await vi.waitUntil(() => sqs.clock.delays.includes(20_000), { timeout: 10_000, interval: 5 });
  const { messages } = await sqs.startWaiting(QueueUrl);
  const cancelled = sqs.clock.cancellations;
  hangUp.abort();
  await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
  await vi.waitUntil(() => sqs.clock.cancellations > cancelled, { timeout: 10_000, interval: 5 });
  await sqs.send(QueueUrl, 'one');
  const received = await messages;
  expect(bodies(received)).toEqual(['one']);
  expect(receiveCounts(received)).toEqual([1]);
});

it('goes on waiting through a purge', async () => {
  const QueueUrl = await sqs.createQueue('mail.fifo');
  const { messages } = await sqs.startWaiting(QueueUrl);
  await sqs.client.send(new PurgeQueueCommand({ QueueUrl }));
  await sqs.send(QueueUrl, 'one');
  expect(bodies(await messages)).toEqual(['one']);
});
