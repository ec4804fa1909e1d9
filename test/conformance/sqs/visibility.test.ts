import {
  ChangeMessageVisibilityBatchCommand,
  MessageNotInflight,
  ReceiptHandleIsInvalid,
  type Message,
} from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { LocalSqs, bodies, receiveCounts } from './local-sqs.ts';

const sqs = LocalSqs.forEachTest();
const EXPIRED = {
  name: 'InvalidParameterValue',
  message: expect.stringContaining('The receipt handle has expired') as string,
};

/** A queue whose messages are all in flight for 30 seconds. */
async function inFlight(...contents: string[]): Promise<{ queue: string; messages: Message[] }> {
  const queue = await sqs.createQueue('mail.fifo');
  for (const body of contents) await sqs.send(queue, body);
  return { queue, messages: await sqs.receive(queue) };
}

describe('when the visibility timeout is over', () => {
  it('gives the messages again, in order, and counts', async () => {
    const { queue } = await inFlight('1', '2', '3');
    await sqs.send(queue, '4');
    sqs.clock.advance(29_999);
    expect(await sqs.receive(queue)).toEqual([]);
    sqs.clock.advance(1);
    const again = await sqs.receive(queue);
    expect(bodies(again)).toEqual(['1', '2', '3', '4']);
    expect(receiveCounts(again)).toEqual([2, 2, 2, 1]);
  });

  it('leaves out what was deleted and keeps the order of the rest', async () => {
    const { queue, messages } = await inFlight('1', '2', '3');
    await sqs.delete(queue, messages[1]!);
    sqs.clock.advance(30_000);
    expect(await sqs.receiveBodies(queue)).toEqual(['1', '3']);
  });

  it('keeps the group closed until the last of its messages has come back', async () => {
    const { queue, messages } = await inFlight('1', '2');
    await sqs.changeVisibility(queue, messages[0]!, 60);
    sqs.clock.advance(30_000);
    expect(await sqs.counts(queue)).toEqual({ visible: 1, inFlight: 1, delayed: 0 });
    expect(await sqs.receive(queue)).toEqual([]);
    sqs.clock.advance(30_000);
    expect(await sqs.receiveBodies(queue)).toEqual(['1', '2']);
  });

  it('takes the timeout of the receive before that of the queue', async () => {
    const queue = await sqs.createQueue('mail.fifo', { VisibilityTimeout: '100' });
    await sqs.send(queue, '1');
    await sqs.receive(queue, { VisibilityTimeout: 5 });
    sqs.clock.advance(5_000);
    expect(await sqs.receiveBodies(queue)).toEqual(['1']);
    sqs.clock.advance(99_999);
    expect(await sqs.receive(queue)).toEqual([]);
    sqs.clock.advance(1);
    expect(await sqs.receiveBodies(queue)).toEqual(['1']);
  });

  it('hides nothing with a timeout of 0', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    await sqs.send(queue, '1');
    await sqs.receive(queue, { VisibilityTimeout: 0 });
    expect(receiveCounts(await sqs.receive(queue))).toEqual([2]);
  });

  it.each([-1, 43_201])('refuses a receive with a timeout of %i', async (VisibilityTimeout) => {
    const queue = await sqs.createQueue('mail.fifo');
    await expect(sqs.receive(queue, { VisibilityTimeout })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });
});

describe('changing the visibility', () => {
  it('makes a message visible at once with 0', async () => {
    const { queue, messages } = await inFlight('1');
    await sqs.changeVisibility(queue, messages[0]!, 0);
    expect(receiveCounts(await sqs.receive(queue))).toEqual([2]);
  });

  it('counts the new timeout from now', async () => {
    const { queue, messages } = await inFlight('1');
    sqs.clock.advance(20_000);
    await sqs.changeVisibility(queue, messages[0]!, 15);
    sqs.clock.advance(14_999);
    expect(await sqs.receive(queue)).toEqual([]);
    sqs.clock.advance(1);
    expect(await sqs.receiveBodies(queue)).toEqual(['1']);
  });

  it('goes up to twelve hours', async () => {
    const { queue, messages } = await inFlight('1');
    await sqs.changeVisibility(queue, messages[0]!, 43_200);
    sqs.clock.advance(43_199_999);
    expect(await sqs.receive(queue)).toEqual([]);
    sqs.clock.advance(1);
    expect(await sqs.receiveBodies(queue)).toEqual(['1']);
  });

  it.each([-1, 43_201])('refuses %i seconds', async (seconds) => {
    const { queue, messages } = await inFlight('1');
    await expect(sqs.changeVisibility(queue, messages[0]!, seconds)).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });

  it('refuses more than twelve hours from the receive on', async () => {
    const { queue, messages } = await inFlight('1');
    sqs.clock.advance(10_000);
    await expect(sqs.changeVisibility(queue, messages[0]!, 43_191)).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
    await sqs.changeVisibility(queue, messages[0]!, 43_190);
  });

  it('refuses a message that is no longer in flight', async () => {
    const { queue, messages } = await inFlight('1');
    sqs.clock.advance(30_000);
    const failure = sqs.changeVisibility(queue, messages[0]!, 10);
    await expect(failure).rejects.toBeInstanceOf(MessageNotInflight);
    await expect(failure).rejects.toMatchObject({
      Error: { Code: 'AWS.SimpleQueueService.MessageNotInflight' },
    });
  });

  it('refuses the handle of an earlier receive', async () => {
    const { queue, messages } = await inFlight('1');
    sqs.clock.advance(30_000);
    await sqs.receive(queue);
    await expect(sqs.changeVisibility(queue, messages[0]!, 0)).rejects.toMatchObject(EXPIRED);
    expect(await sqs.receive(queue)).toEqual([]);
  });

  it('refuses a message that was deleted', async () => {
    const { queue, messages } = await inFlight('1');
    await sqs.delete(queue, messages[0]!);
    await expect(sqs.changeVisibility(queue, messages[0]!, 10)).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });

  it('refuses what is not a receipt handle', async () => {
    const { queue } = await inFlight('1');
    await expect(sqs.changeVisibility(queue, { ReceiptHandle: 'x' }, 10)).rejects.toBeInstanceOf(
      ReceiptHandleIsInvalid,
    );
  });

  it('changes each message of a batch on its own', async () => {
    const { queue, messages } = await inFlight('1', '2');
    const [first, second] = messages;
    const result = await sqs.client.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl: queue,
        Entries: [
          { Id: 'now', ReceiptHandle: first!.ReceiptHandle, VisibilityTimeout: 0 },
          { Id: 'later', ReceiptHandle: second!.ReceiptHandle, VisibilityTimeout: 60 },
          { Id: 'long', ReceiptHandle: second!.ReceiptHandle, VisibilityTimeout: 43_201 },
          { Id: 'again', ReceiptHandle: first!.ReceiptHandle, VisibilityTimeout: 5 },
          { Id: 'garbage', ReceiptHandle: 'x', VisibilityTimeout: 5 },
        ],
      }),
    );
    expect(result.Successful).toEqual([{ Id: 'now' }, { Id: 'later' }]);
    expect(result.Failed).toMatchObject([
      { Id: 'long', SenderFault: true, Code: 'InvalidParameterValue' },
      { Id: 'again', SenderFault: true, Code: 'AWS.SimpleQueueService.MessageNotInflight' },
      { Id: 'garbage', SenderFault: true, Code: 'ReceiptHandleIsInvalid' },
    ]);
    expect(await sqs.counts(queue)).toEqual({ visible: 1, inFlight: 1, delayed: 0 });
    sqs.clock.advance(60_000);
    expect(await sqs.receiveBodies(queue)).toEqual(['1', '2']);
  });
});

describe('deleting', () => {
  it('takes the message away for good', async () => {
    const { queue, messages } = await inFlight('1');
    await sqs.delete(queue, messages[0]!);
    sqs.clock.advance(30_000);
    expect(await sqs.receive(queue)).toEqual([]);
    expect(await sqs.counts(queue)).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  it('succeeds a second time', async () => {
    const { queue, messages } = await inFlight('1');
    await sqs.delete(queue, messages[0]!);
    await sqs.delete(queue, messages[0]!);
  });

  it('refuses a handle whose visibility timeout is over, and keeps the message', async () => {
    const { queue, messages } = await inFlight('1');
    sqs.clock.advance(30_000);
    await expect(sqs.delete(queue, messages[0]!)).rejects.toMatchObject(EXPIRED);
    expect(await sqs.receiveBodies(queue)).toEqual(['1']);
  });

  it('refuses the handle of an earlier receive, and keeps the message', async () => {
    const { queue, messages } = await inFlight('1');
    sqs.clock.advance(30_000);
    const [again] = await sqs.receive(queue);
    await expect(sqs.delete(queue, messages[0]!)).rejects.toMatchObject(EXPIRED);
    await sqs.delete(queue, again!);
  });

  it('refuses what is not a receipt handle', async () => {
    const { queue } = await inFlight('1');
    const failure = sqs.delete(queue, { ReceiptHandle: 'garbage' });
    await expect(failure).rejects.toBeInstanceOf(ReceiptHandleIsInvalid);
    await expect(failure).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
  });

  it('refuses the handle of another queue', async () => {
    const { messages } = await inFlight('1');
    const other = await sqs.createQueue('other.fifo');
    await expect(sqs.delete(other, messages[0]!)).rejects.toBeInstanceOf(ReceiptHandleIsInvalid);
  });

  it('does nothing with an outdated handle on a standard queue', async () => {
    const queue = await sqs.createQueue('plain');
    await sqs.send(queue, '1', { MessageGroupId: undefined, MessageDeduplicationId: undefined });
    const [first] = await sqs.receive(queue);
    sqs.clock.advance(30_000);
    await sqs.receive(queue);
    await sqs.delete(queue, first!);
    expect(await sqs.counts(queue)).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
  });
});
