import { createHash } from 'node:crypto';
import { InvalidMessageContents, SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { LocalSqs } from './local-sqs.ts';

const sqs = LocalSqs.forEachTest();

describe('on a FIFO queue', () => {
  it('answers with id, digest and a sequence number that rises', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    const first = await sqs.send(queue, 'one');
    const second = await sqs.send(queue, 'two');
    expect(first.MD5OfMessageBody).toBe(createHash('md5').update('one').digest('hex'));
    expect(first.SequenceNumber).toMatch(/^\d{20}$/);
    expect(second.SequenceNumber! > first.SequenceNumber!).toBe(true);
    const received = await sqs.receive(queue);
    expect(received.map(({ MessageId }) => MessageId)).toEqual([first.MessageId, second.MessageId]);
  });

  it('wants a group id', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    await expect(sqs.send(queue, 'x', { MessageGroupId: undefined })).rejects.toMatchObject({
      name: 'MissingParameter',
    });
  });

  it('wants a deduplication id unless it can make one from the content', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    await expect(sqs.send(queue, 'x', { MessageDeduplicationId: undefined })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });

  it.each(['', 'with space', 'é', 'x'.repeat(129)])(
    'refuses %j as group id and as deduplication id',
    async (id) => {
      const queue = await sqs.createQueue('mail.fifo');
      const refused = { name: 'InvalidParameterValue' };
      await expect(sqs.send(queue, 'x', { MessageGroupId: id })).rejects.toMatchObject(refused);
      await expect(sqs.send(queue, 'x', { MessageDeduplicationId: id })).rejects.toMatchObject(refused);
    },
  );

  it('refuses a delay of a single message', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    await expect(sqs.send(queue, 'x', { DelaySeconds: 5 })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });

  it('delays every message by the delay of the queue', async () => {
    const queue = await sqs.createQueue('mail.fifo', { DelaySeconds: '10' });
    await sqs.send(queue, 'later');
    expect(await sqs.counts(queue)).toEqual({ visible: 0, inFlight: 0, delayed: 1 });
    sqs.clock.advance(9_999);
    expect(await sqs.receive(queue)).toEqual([]);
    sqs.clock.advance(1);
    expect(await sqs.receiveBodies(queue)).toEqual(['later']);
  });
});

describe('on a standard queue', () => {
  it('needs neither group nor deduplication id, and gives no sequence number', async () => {
    const QueueUrl = await sqs.createQueue('plain');
    const sent = await sqs.client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
    expect(sent.SequenceNumber).toBeUndefined();
    expect(await sqs.receiveBodies(QueueUrl)).toEqual(['x']);
  });

  it('delays a single message', async () => {
    const QueueUrl = await sqs.createQueue('plain');
    await sqs.client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'late', DelaySeconds: 5 }));
    await sqs.client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'now' }));
    expect(await sqs.receiveBodies(QueueUrl)).toEqual(['now']);
    sqs.clock.advance(5_000);
    expect(await sqs.receiveBodies(QueueUrl)).toEqual(['late']);
  });

  it('refuses a deduplication id', async () => {
    const queue = await sqs.createQueue('plain');
    await expect(sqs.send(queue, 'x')).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  });

  it('gives a message in flight to nobody else, but others of the same group', async () => {
    const QueueUrl = await sqs.createQueue('plain');
    const send = (MessageBody: string) =>
      sqs.client.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: 'tenant' }));
    await send('one');
    await send('two');
    expect(await sqs.receiveBodies(QueueUrl, { MaxNumberOfMessages: 1 })).toEqual(['one']);
    expect(await sqs.receiveBodies(QueueUrl)).toEqual(['two']);
    expect(await sqs.receive(QueueUrl)).toEqual([]);
  });
});

describe('the content', () => {
  it('may be 1 MiB and not a byte more', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    const largest = 'x'.repeat(1_048_576);
    await sqs.send(queue, largest);
    expect(await sqs.receiveBodies(queue)).toEqual([largest]);
    await expect(sqs.send(queue, `${largest}x`)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  });

  it('is measured in bytes, with the attributes, against the limit of the queue', async () => {
    const queue = await sqs.createQueue('mail.fifo', { MaximumMessageSize: '1024' });
    await sqs.send(queue, 'é'.repeat(512));
    await expect(sqs.send(queue, 'é'.repeat(513))).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    const MessageAttributes = { k: { DataType: 'String', StringValue: 'v' } };
    await sqs.send(queue, 'x'.repeat(1016), { MessageAttributes });
    await expect(sqs.send(queue, 'x'.repeat(1017), { MessageAttributes })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });

  it('must not be empty', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    await expect(sqs.send(queue, '')).rejects.toMatchObject({ name: 'MissingParameter' });
  });

  it('must not hold control characters', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    await expect(sqs.send(queue, 'bell \u0007')).rejects.toBeInstanceOf(InvalidMessageContents);
  });

  it('comes back as it was, whatever the characters', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    const body = 'ação "quoted" <b>&amp;</b>\r\n\t😀';
    await sqs.send(queue, body);
    expect(await sqs.receiveBodies(queue)).toEqual([body]);
  });

  it('is kept for the retention period and no longer, in flight or not', async () => {
    const queue = await sqs.createQueue('mail.fifo', {
      MessageRetentionPeriod: '60',
      VisibilityTimeout: '120',
    });
    await sqs.send(queue, 'held', { MessageGroupId: 'a' });
    await sqs.receive(queue);
    await sqs.send(queue, 'waiting', { MessageGroupId: 'b' });
    sqs.clock.advance(59_999);
    expect(await sqs.counts(queue)).toEqual({ visible: 1, inFlight: 1, delayed: 0 });
    sqs.clock.advance(1);
    expect(await sqs.counts(queue)).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });
});
