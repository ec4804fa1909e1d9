import {
  BatchEntryIdsNotDistinct,
  BatchRequestTooLong,
  DeleteMessageBatchCommand,
  EmptyBatchRequest,
  InvalidBatchEntryId,
  SendMessageBatchCommand,
  TooManyEntriesInBatchRequest,
  type SendMessageBatchRequestEntry,
} from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { LocalSqs } from './local-sqs.ts';

const sqs = LocalSqs.forEachTest();

function anEntry(Id: string, more: Partial<SendMessageBatchRequestEntry> = {}): SendMessageBatchRequestEntry {
  return { Id, MessageBody: Id, MessageGroupId: 'group', MessageDeduplicationId: Id, ...more };
}

function sendBatch(QueueUrl: string, Entries: SendMessageBatchRequestEntry[]) {
  return sqs.client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
}

describe('sending a batch', () => {
  it('takes the entries in their order', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    const ids = Array.from({ length: 10 }, (_, n) => `m${n}`);
    const { Successful, Failed } = await sendBatch(
      queue,
      ids.map((id) => anEntry(id)),
    );
    expect(Failed).toBeUndefined();
    expect(Successful!.map(({ Id }) => Id)).toEqual(ids);
    const received = await sqs.receive(queue);
    expect(received.map(({ Body }) => Body)).toEqual(ids);
    expect(received.map(({ MessageId }) => MessageId)).toEqual(Successful!.map(({ MessageId }) => MessageId));
  });

  it('takes what is good when some entries are not, and says why', async () => {
    const queue = await sqs.createQueue('mail.fifo', { MaximumMessageSize: '1024' });
    const { Successful, Failed } = await sendBatch(queue, [
      anEntry('good'),
      anEntry('large', { MessageBody: 'x'.repeat(1025) }),
      anEntry('groupless', { MessageGroupId: undefined }),
      anEntry('delayed', { DelaySeconds: 5 }),
      anEntry('control', { MessageBody: '\u0000' }),
      anEntry('empty', { MessageBody: '' }),
      anEntry('untyped', { MessageAttributes: { k: { DataType: undefined, StringValue: 'v' } } }),
      anEntry('also-good'),
    ]);
    expect(Successful!.map(({ Id }) => Id)).toEqual(['good', 'also-good']);
    expect(Failed!.map(({ Id, Code, SenderFault }) => [Id, Code, SenderFault])).toEqual([
      ['large', 'InvalidParameterValue', true],
      ['groupless', 'MissingParameter', true],
      ['delayed', 'InvalidParameterValue', true],
      ['control', 'InvalidMessageContents', true],
      ['empty', 'MissingParameter', true],
      ['untyped', 'InvalidParameterValue', true],
    ]);
    expect(await sqs.receiveBodies(queue)).toEqual(['good', 'also-good']);
  });

  it('deduplicates within the batch', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    const { Successful } = await sendBatch(queue, [
      anEntry('one', { MessageDeduplicationId: 'same' }),
      anEntry('copy', { MessageDeduplicationId: 'same' }),
    ]);
    expect(Successful![1]!.MessageId).toBe(Successful![0]!.MessageId);
    expect(Successful![1]!.SequenceNumber).toBe(Successful![0]!.SequenceNumber);
    expect(await sqs.receiveBodies(queue)).toEqual(['one']);
  });

  it('may be 1 MiB in all and not a byte more', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    const half = 'x'.repeat(524_288);
    await expect(
      sendBatch(queue, [anEntry('a', { MessageBody: half }), anEntry('b', { MessageBody: `${half}x` })]),
    ).rejects.toBeInstanceOf(BatchRequestTooLong);
    expect(await sqs.receive(queue)).toEqual([]);
    const { Successful } = await sendBatch(queue, [
      anEntry('a', { MessageBody: half }),
      anEntry('b', { MessageBody: half }),
    ]);
    expect(Successful).toHaveLength(2);
  });
});

describe('a batch as a whole', () => {
  it.each([
    ['no entries', [], EmptyBatchRequest],
    ['eleven entries', Array.from({ length: 11 }, (_, n) => `m${n}`), TooManyEntriesInBatchRequest],
    ['the same id twice', ['same', 'same'], BatchEntryIdsNotDistinct],
    ['an id with a space', ['a b'], InvalidBatchEntryId],
    ['an empty id', [''], InvalidBatchEntryId],
    ['an id that is too long', ['x'.repeat(81)], InvalidBatchEntryId],
  ])('is refused with %s', async (_fault, ids, error) => {
    const QueueUrl = await sqs.createQueue('mail.fifo');
    const sending = sendBatch(
      QueueUrl,
      ids.map((id) => anEntry(id, { MessageBody: 'x', MessageDeduplicationId: 'x' })),
    );
    await expect(sending).rejects.toBeInstanceOf(error);
    const Entries = ids.map((Id) => ({ Id, ReceiptHandle: 'x' }));
    const deleting = sqs.client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    await expect(deleting).rejects.toBeInstanceOf(error);
    expect(await sqs.receive(QueueUrl)).toEqual([]);
  });
});

it('deletes a batch entry by entry', async () => {
  const QueueUrl = await sqs.createQueue('mail.fifo');
  await sendBatch(QueueUrl, [
    anEntry('gone', { MessageGroupId: 'a' }),
    anEntry('stays', { MessageGroupId: 'b' }),
  ]);
  const [gone] = await sqs.receive(QueueUrl, { MaxNumberOfMessages: 1 });
  const [stale] = await sqs.receive(QueueUrl, { VisibilityTimeout: 0 });
  const { Successful, Failed } = await sqs.client.send(
    new DeleteMessageBatchCommand({
      QueueUrl,
      Entries: [
        { Id: 'gone', ReceiptHandle: gone!.ReceiptHandle },
        { Id: 'stale', ReceiptHandle: stale!.ReceiptHandle },
        { Id: 'garbage', ReceiptHandle: 'garbage' },
      ],
    }),
  );
  expect(Successful).toEqual([{ Id: 'gone' }]);
  expect(Failed).toMatchObject([
    { Id: 'stale', SenderFault: true, Code: 'InvalidParameterValue' },
    { Id: 'garbage', SenderFault: true, Code: 'ReceiptHandleIsInvalid' },
  ]);
  sqs.clock.advance(30_000);
  expect(await sqs.receiveBodies(QueueUrl)).toEqual(['stays']);
});
