import { describe, expect, it } from 'vitest';
import { LocalSqs, bodies, receiveCounts } from './local-sqs.ts';

const sqs = LocalSqs.forEachTest();

async function queueWith(...messages: [group: string, body: string][]): Promise<string> {
  const queue = await sqs.createQueue('mail.fifo');
  for (const [MessageGroupId, body] of messages) await sqs.send(queue, body, { MessageGroupId });
  return queue;
}

describe('message groups', () => {
  it('gives several messages of one group at once, in order', async () => {
    const queue = await queueWith(['a', '1'], ['a', '2'], ['a', '3']);
    expect(await sqs.receiveBodies(queue)).toEqual(['1', '2', '3']);
  });

  it('gives one message unless more are asked for', async () => {
    const queue = await queueWith(['a', '1'], ['a', '2']);
    expect(await sqs.receiveBodies(queue, { MaxNumberOfMessages: undefined })).toEqual(['1']);
  });

  it('keeps a group closed while one of its messages is in flight', async () => {
    const queue = await queueWith(['a', '1'], ['a', '2'], ['a', '3']);
    const [first, second] = await sqs.receive(queue, { MaxNumberOfMessages: 2 });
    expect(await sqs.receive(queue)).toEqual([]);
    await sqs.delete(queue, first!);
    expect(await sqs.receive(queue)).toEqual([]);
    await sqs.delete(queue, second!);
    expect(await sqs.receiveBodies(queue)).toEqual(['3']);
  });

  it('closes the group to what is sent to it later, too', async () => {
    const queue = await queueWith(['a', '1']);
    await sqs.receive(queue);
    await sqs.send(queue, '2', { MessageGroupId: 'a' });
    expect(await sqs.receive(queue)).toEqual([]);
  });

  it('serves other groups meanwhile', async () => {
    const queue = await queueWith(['a', 'a1'], ['a', 'a2'], ['b', 'b1'], ['c', 'c1']);
    expect(await sqs.receiveBodies(queue, { MaxNumberOfMessages: 1 })).toEqual(['a1']);
    expect(await sqs.receiveBodies(queue)).toEqual(['b1', 'c1']);
  });

  it('fills one answer from several groups, each in its order', async () => {
    const queue = await queueWith(['a', 'a1'], ['b', 'b1'], ['a', 'a2'], ['b', 'b2']);
    const received = await sqs.receiveBodies(queue);
    expect(received.filter((body) => body.startsWith('a'))).toEqual(['a1', 'a2']);
    expect(received.filter((body) => body.startsWith('b'))).toEqual(['b1', 'b2']);
  });

  it('does not let a deep group keep the others waiting', async () => {
    const queue = await queueWith(['deep', '1'], ['deep', '2'], ['deep', '3'], ['other', 'x']);
    const [first] = await sqs.receive(queue, { MaxNumberOfMessages: 1 });
    await sqs.delete(queue, first!);
    expect(await sqs.receiveBodies(queue, { MaxNumberOfMessages: 1 })).toEqual(['x']);
  });

  it('keeps the order of each of four groups over many batches', async () => {
    const groups = ['a', 'b', 'c', 'd'];
    const queue = await sqs.createQueue('mail.fifo');
    for (let n = 0; n < 30; n += 1) {
      for (const MessageGroupId of groups) await sqs.send(queue, String(n), { MessageGroupId });
    }
    const seen: Record<string, number[]> = { a: [], b: [], c: [], d: [] };
    for (let batch; (batch = await sqs.receive(queue, { MaxNumberOfMessages: 7 })).length > 0;) {
      for (const message of batch) {
        seen[message.Attributes!['MessageGroupId']!]!.push(Number(message.Body));
        await sqs.delete(queue, message);
      }
    }
    const inOrder = Array.from({ length: 30 }, (_, n) => n);
    expect(seen).toEqual({ a: inOrder, b: inOrder, c: inOrder, d: inOrder });
  });

  it.each([0, 11])('refuses to give %i messages', async (MaxNumberOfMessages) => {
    const queue = await sqs.createQueue('mail.fifo');
    await expect(sqs.receive(queue, { MaxNumberOfMessages })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });
});

describe('system attributes', () => {
  it('says how often a message was received, and when for the first time', async () => {
    const queue = await queueWith(['a', '1']);
    const sentAt = sqs.clock.now();
    sqs.clock.advance(5_000);
    expect(receiveCounts(await sqs.receive(queue))).toEqual([1]);
    sqs.clock.advance(30_000);
    const [again] = await sqs.receive(queue);
    expect(again!.Attributes).toMatchObject({
      ApproximateReceiveCount: '2',
      ApproximateFirstReceiveTimestamp: String(sentAt + 5_000),
      SentTimestamp: String(sentAt),
    });
  });

  it('returns none unless asked', async () => {
    const queue = await queueWith(['a', '1']);
    const [message] = await sqs.receive(queue, { MessageSystemAttributeNames: undefined });
    expect(Object.keys(message!).sort()).toEqual(['Body', 'MD5OfBody', 'MessageId', 'ReceiptHandle']);
  });

  it.each(['MessageSystemAttributeNames', 'AttributeNames'])(
    'returns those named in %s',
    async (parameter) => {
      const queue = await queueWith(['a', '1']);
      const [message] = await sqs.receive(queue, {
        MessageSystemAttributeNames: undefined,
        [parameter]: ['MessageGroupId', 'ApproximateReceiveCount'],
      });
      expect(message!.Attributes).toEqual({ MessageGroupId: 'a', ApproximateReceiveCount: '1' });
    },
  );

  it.each(['MessageSystemAttributeNames', 'AttributeNames'])(
    'returns all for All in %s',
    async (parameter) => {
      const queue = await sqs.createQueue('mail.fifo');
      const sent = await sqs.send(queue, '1', {
        MessageGroupId: 'a',
        MessageDeduplicationId: 'id',
        MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: 'Root=1-2' } },
      });
      const [message] = await sqs.receive(queue, {
        MessageSystemAttributeNames: undefined,
        [parameter]: ['All'],
      });
      expect(message!.Attributes).toEqual({
        SenderId: expect.any(String) as string,
        SentTimestamp: String(sqs.clock.now()),
        ApproximateReceiveCount: '1',
        ApproximateFirstReceiveTimestamp: String(sqs.clock.now()),
        SequenceNumber: sent.SequenceNumber,
        MessageDeduplicationId: 'id',
        MessageGroupId: 'a',
        AWSTraceHeader: 'Root=1-2',
      });
    },
  );

  it('refuses one that does not exist', async () => {
    const queue = await queueWith(['a', '1']);
    const unknown = ['Colour'] as unknown as ['All'];
    await expect(sqs.receive(queue, { MessageSystemAttributeNames: unknown })).rejects.toMatchObject({
      name: 'InvalidAttributeName',
    });
  });
});

describe('message attributes', () => {
  const MessageAttributes = {
    tenant: { DataType: 'String', StringValue: 'acme' },
    'trace.id': { DataType: 'Number', StringValue: '42' },
    'trace.raw': { DataType: 'Binary', BinaryValue: new Uint8Array([0, 255]) },
  };

  async function receiveNamed(MessageAttributeNames?: string[]) {
    const queue = await sqs.createQueue('mail.fifo');
    const sent = await sqs.send(queue, '1', { MessageAttributes });
    const [received] = await sqs.receive(queue, { MessageAttributeNames });
    return { sent, received: received! };
  }

  it('returns none unless asked', async () => {
    const { received } = await receiveNamed();
    expect(received.MessageAttributes).toBeUndefined();
    expect(received.MD5OfMessageAttributes).toBeUndefined();
  });

  it('returns all, as they were sent and with the same digest', async () => {
    const { sent, received } = await receiveNamed(['All']);
    expect(received.MessageAttributes).toEqual(MessageAttributes);
    expect(received.MD5OfMessageAttributes).toBe(sent.MD5OfMessageAttributes);
  });

  it('returns those named', async () => {
    const { received } = await receiveNamed(['tenant', 'missing']);
    expect(received.MessageAttributes).toEqual({ tenant: MessageAttributes.tenant });
  });

  it('returns those whose name begins as asked', async () => {
    const { received } = await receiveNamed(['trace.*']);
    expect(Object.keys(received.MessageAttributes!).sort()).toEqual(['trace.id', 'trace.raw']);
  });

  it.each([
    ['a type that does not exist', { k: { DataType: 'Date', StringValue: 'x' } }],
    ['a number that is none', { k: { DataType: 'Number', StringValue: 'x' } }],
    ['an empty value', { k: { DataType: 'String', StringValue: '' } }],
    ['a reserved name', { 'aws.k': { DataType: 'String', StringValue: 'x' } }],
    ['a name with a space', { 'k k': { DataType: 'String', StringValue: 'x' } }],
  ])('refuses %s', async (_fault, attributes) => {
    const queue = await sqs.createQueue('mail.fifo');
    await expect(sqs.send(queue, '1', { MessageAttributes: attributes })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });

  it('takes ten of them and no more', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    const some = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`k${n}`, { DataType: 'String', StringValue: 'x' }]),
      );
    await sqs.send(queue, '1', { MessageAttributes: some(10) });
    await expect(sqs.send(queue, '1', { MessageAttributes: some(11) })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });
});

describe('a receive request attempt id', () => {
  const attempt = { ReceiveRequestAttemptId: 'attempt' };

  it('gets the same messages and handles again, and counts one receive', async () => {
    const queue = await queueWith(['a', '1'], ['a', '2']);
    const first = await sqs.receive(queue, attempt);
    sqs.clock.advance(10_000);
    expect(bodies(first)).toEqual(['1', '2']);
    expect(await sqs.receive(queue, attempt)).toEqual(first);
  });

  it('starts the visibility timeout afresh when it is repeated', async () => {
    const queue = await queueWith(['a', '1']);
    await sqs.receive(queue, attempt);
    sqs.clock.advance(20_000);
    await sqs.receive(queue, attempt);
    sqs.clock.advance(29_999);
    expect(await sqs.receive(queue)).toEqual([]);
    sqs.clock.advance(1);
    expect(receiveCounts(await sqs.receive(queue))).toEqual([2]);
  });

  it('gets nothing of what another attempt holds', async () => {
    const queue = await queueWith(['a', '1']);
    await sqs.receive(queue, attempt);
    expect(await sqs.receive(queue, { ReceiveRequestAttemptId: 'another' })).toEqual([]);
  });

  it('is void once a message was deleted', async () => {
    const queue = await queueWith(['a', '1'], ['a', '2']);
    const [first] = await sqs.receive(queue, attempt);
    await sqs.delete(queue, first!);
    expect(await sqs.receive(queue, attempt)).toEqual([]);
  });

  it('is void once the visibility of a message was changed', async () => {
    const queue = await queueWith(['a', '1']);
    const [message] = await sqs.receive(queue, attempt);
    await sqs.changeVisibility(queue, message!, 60);
    expect(await sqs.receive(queue, attempt)).toEqual([]);
  });

  it('is void once the messages became visible: they are received anew', async () => {
    const queue = await queueWith(['a', '1']);
    const [first] = await sqs.receive(queue, attempt);
    sqs.clock.advance(30_000);
    const [second] = await sqs.receive(queue, attempt);
    expect(receiveCounts([second!])).toEqual([2]);
    expect(second!.ReceiptHandle).not.toBe(first!.ReceiptHandle);
  });

  it('holds for five minutes', async () => {
    const queue = await queueWith(['a', '1']);
    await sqs.receive(queue, { ...attempt, VisibilityTimeout: 600 });
    sqs.clock.advance(5 * 60_000);
    expect(await sqs.receive(queue, attempt)).toEqual([]);
  });
});
