import { SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { LocalSqs } from './local-sqs.ts';

const sqs = LocalSqs.forEachTest();
const EMPTY = { visible: 0, inFlight: 0, delayed: 0 };
const FOUR_DAYS = 4 * 86_400_000;
const FOURTEEN_DAYS = 1_209_600_000;

function keepFor(QueueUrl: string, seconds: number) {
  const Attributes = { MessageRetentionPeriod: String(seconds) };
  return sqs.client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
}

it.each([
  ['four days unless told otherwise', {}, FOUR_DAYS],
  ['a minute at least', { MessageRetentionPeriod: '60' }, 60_000],
  ['fourteen days at most', { MessageRetentionPeriod: '1209600' }, FOURTEEN_DAYS],
])('keeps a message %s', async (_period, attributes, ms) => {
  const queue = await sqs.createQueue('mail.fifo', attributes);
  await sqs.send(queue, 'one');
  sqs.clock.advance(ms - 1);
  expect(await sqs.counts(queue)).toEqual({ ...EMPTY, visible: 1 });
  sqs.clock.advance(1);
  expect(await sqs.counts(queue)).toEqual(EMPTY);
  expect(await sqs.receive(queue)).toEqual([]);
});

it('lets each message go at its own time, and the rest in order', async () => {
  const queue = await sqs.createQueue('mail.fifo', { MessageRetentionPeriod: '60' });
  await sqs.send(queue, '1');
  sqs.clock.advance(30_000);
  await sqs.send(queue, '2');
  await sqs.send(queue, '3');
  sqs.clock.advance(30_000);
  expect(await sqs.receiveBodies(queue)).toEqual(['2', '3']);
});

it('opens the group when the message in flight is gone', async () => {
  const queue = await sqs.createQueue('mail.fifo', { MessageRetentionPeriod: '60' });
  await sqs.send(queue, 'held');
  await sqs.receive(queue, { VisibilityTimeout: 600 });
  sqs.clock.advance(30_000);
  await sqs.send(queue, 'next');
  sqs.clock.advance(30_000);
  expect(await sqs.receiveBodies(queue)).toEqual(['next']);
});

it('applies a new period to what is in the queue already', async () => {
  const queue = await sqs.createQueue('mail.fifo', { MessageRetentionPeriod: '60' });
  await sqs.send(queue, 'one');
  await keepFor(queue, 120);
  sqs.clock.advance(60_000);
  expect(await sqs.counts(queue)).toEqual({ ...EMPTY, visible: 1 });
  await keepFor(queue, 60);
  expect(await sqs.counts(queue)).toEqual(EMPTY);
});

it('is not prolonged by receiving', async () => {
  const queue = await sqs.createQueue('mail.fifo', { MessageRetentionPeriod: '60' });
  await sqs.send(queue, 'one');
  sqs.clock.advance(29_000);
  await sqs.receive(queue);
  sqs.clock.advance(30_000);
  await sqs.receive(queue);
  sqs.clock.advance(1_000);
  expect(await sqs.counts(queue)).toEqual(EMPTY);
});
