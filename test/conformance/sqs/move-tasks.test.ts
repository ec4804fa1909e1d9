import {
  CancelMessageMoveTaskCommand,
  DeleteQueueCommand,
  ListMessageMoveTasksCommand,
  ResourceNotFoundException,
  StartMessageMoveTaskCommand,
  type StartMessageMoveTaskCommandInput,
} from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { LocalSqs, bodies, receiveCounts } from './local-sqs.ts';

const sqs = LocalSqs.forEachTest();
const REFUSED = { name: 'InvalidParameterValue' };

/** A queue and its dead-letter queue, to which these messages have gone. */
async function withDeadLetters(...contents: string[]): Promise<{ queue: string; dead: string }> {
  const { queue, dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 1);
  for (const body of contents) await sqs.send(queue, body);
  for (let left = contents.length; left > 0; left -= 10) {
    await sqs.receive(queue);
    sqs.clock.advance(30_000);
    await sqs.receive(queue, { VisibilityTimeout: 0 });
  }
  expect(await sqs.counts(dead)).toMatchObject({ visible: contents.length });
  return { queue, dead };
}

async function start(more: Partial<StartMessageMoveTaskCommandInput> = {}): Promise<string> {
  const input = { SourceArn: sqs.arn('dead.fifo'), ...more };
  return (await sqs.client.send(new StartMessageMoveTaskCommand(input))).TaskHandle!;
}

async function tasks(MaxResults?: number) {
  const command = new ListMessageMoveTasksCommand({ SourceArn: sqs.arn('dead.fifo'), MaxResults });
  return (await sqs.client.send(command)).Results!;
}

function cancel(TaskHandle: string) {
  return sqs.client.send(new CancelMessageMoveTaskCommand({ TaskHandle }));
}

describe('moving', () => {
  it('brings messages back to the queue they came from, in order', async () => {
    const { queue, dead } = await withDeadLetters('1', '2', '3');
    await start();
    sqs.clock.advance(1_000);
    expect(await sqs.receiveBodies(queue)).toEqual(['1', '2', '3']);
    expect(await sqs.counts(dead)).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  it('makes a new message of each: id, time and receive count', async () => {
    const { queue, dead } = await withDeadLetters('1');
    const [before] = await sqs.receive(dead, { VisibilityTimeout: 0 });
    const movedAt = sqs.clock.now();
    await start();
    sqs.clock.advance(1_000);
    const [after] = await sqs.receive(queue);
    expect(after!.MessageId).not.toBe(before!.MessageId);
    expect(after!.Attributes).toMatchObject({
      MessageGroupId: 'group',
      ApproximateReceiveCount: '1',
      SentTimestamp: String(movedAt),
    });
    expect(after!.Attributes).not.toHaveProperty('DeadLetterQueueSourceArn');
  });

  it('is not stopped by the deduplication of the queue it goes to', async () => {
    const { queue, dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 1);
    await sqs.send(queue, 'one', { MessageDeduplicationId: 'same' });
    await sqs.receive(queue, { VisibilityTimeout: 0 });
    await sqs.receive(queue);
    expect(await sqs.counts(dead)).toMatchObject({ visible: 1 });
    await start();
    sqs.clock.advance(1_000);
    expect(await sqs.receiveBodies(queue)).toEqual(['one']);
  });

  it('does not take a message for a copy of another that was sent with the same deduplication id', async () => {
    const { queue, dead } = await withDeadLetters();
    await sqs.send(queue, 'one', { MessageDeduplicationId: 'same' });
    await sqs.send(dead, 'two', { MessageDeduplicationId: 'same' });
    await start({ DestinationArn: sqs.arn('mail.fifo') });
    sqs.clock.advance(1_000);
    expect(await sqs.receiveBodies(queue)).toEqual(['one', 'two']);
  });

  it('brings each message to its own source', async () => {
    const { queue } = await withDeadLetters('first');
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: sqs.arn('dead.fifo'), maxReceiveCount: 1 });
    const other = await sqs.createQueue('other.fifo', { RedrivePolicy });
    await sqs.send(other, 'second');
    await sqs.receive(other, { VisibilityTimeout: 0 });
    await sqs.receive(other);
    await start();
    sqs.clock.advance(1_000);
    expect(await sqs.receiveBodies(queue)).toEqual(['first']);
    expect(await sqs.receiveBodies(other)).toEqual(['second']);
  });

  it('goes to another queue when told so', async () => {
    const { queue } = await withDeadLetters('1');
    const target = await sqs.createQueue('target.fifo');
    await start({ DestinationArn: sqs.arn('target.fifo') });
    sqs.clock.advance(1_000);
    expect(await sqs.receiveBodies(target)).toEqual(['1']);
    expect(await sqs.receive(queue)).toEqual([]);
  });

  it('starts with the oldest message, whatever its group', async () => {
    const { queue, dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 1);
    for (const [MessageGroupId, body] of [
      ['a', 'a1'],
      ['b', 'b1'],
      ['a', 'a2'],
      ['b', 'b2'],
    ] as const) {
      await sqs.send(dead, body, { MessageGroupId });
    }
    await start({ DestinationArn: sqs.arn('mail.fifo'), MaxNumberOfMessagesPerSecond: 1 });
    const moved: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      sqs.clock.advance(n === 0 ? 0 : 1_000);
      for (const message of await sqs.receive(queue)) {
        moved.push(message.Body!);
        await sqs.delete(queue, message);
      }
    }
    expect(moved).toEqual(['a1', 'b1', 'a2', 'b2']);
  });

  it('leaves what is in flight, and what stands behind it in its group', async () => {
    const { queue, dead } = await withDeadLetters('1', '2');
    await sqs.receive(dead, { MaxNumberOfMessages: 1 });
    await sqs.send(dead, 'other', { MessageGroupId: 'other' });
    await start({ DestinationArn: sqs.arn('mail.fifo') });
    sqs.clock.advance(1_000);
    expect(await tasks()).toMatchObject([{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 1 }]);
    expect(await sqs.receiveBodies(queue)).toEqual(['other']);
    expect(await sqs.counts(dead)).toEqual({ visible: 1, inFlight: 1, delayed: 0 });
  });

  it('wakes a receiver that waits at the destination', async () => {
    const { queue } = await withDeadLetters('1');
    const { messages } = await sqs.startWaiting(queue);
    await start();
    sqs.clock.advance(1);
    expect(bodies(await messages)).toEqual(['1']);
  });

  it('lets a moved message fail as often as a new one', async () => {
    const { queue, dead } = await withDeadLetters('1');
    await start();
    sqs.clock.advance(1_000);
    expect(receiveCounts(await sqs.receive(queue))).toEqual([1]);
    sqs.clock.advance(30_000);
    await sqs.receive(queue);
    expect(await sqs.receiveBodies(dead)).toEqual(['1']);
  });
});

describe('the rate', () => {
  it('is what was asked for', async () => {
    const { queue, dead } = await withDeadLetters('1', '2', '3', '4', '5');
    await start({ MaxNumberOfMessagesPerSecond: 2 });
    sqs.clock.advance(999);
    expect(await sqs.counts(queue)).toMatchObject({ visible: 2 });
    sqs.clock.advance(1_000);
    expect(await sqs.counts(queue)).toMatchObject({ visible: 4 });
    expect(await sqs.counts(dead)).toMatchObject({ visible: 1 });
    sqs.clock.advance(1_000);
    expect(await sqs.counts(queue)).toMatchObject({ visible: 5 });
  });

  it('is never more than 500 messages a second', async () => {
    const { queue, dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 1);
    await sqs.sendMany(dead, 510);
    await start({ DestinationArn: sqs.arn('mail.fifo') });
    sqs.clock.advance(999);
    expect(await sqs.counts(queue)).toMatchObject({ visible: 500 });
    sqs.clock.advance(100);
    expect(await sqs.counts(queue)).toMatchObject({ visible: 510 });
  });

  it.each([0, 501])('cannot be %i', async (MaxNumberOfMessagesPerSecond) => {
    await withDeadLetters();
    await expect(start({ MaxNumberOfMessagesPerSecond })).rejects.toMatchObject(REFUSED);
  });
});

describe('starting', () => {
  it('refuses a queue that is nobody’s dead-letter queue', async () => {
    await sqs.createQueue('mail.fifo');
    await expect(start({ SourceArn: sqs.arn('mail.fifo') })).rejects.toMatchObject(REFUSED);
  });

  it('refuses a source that does not exist', async () => {
    const failure = start({ SourceArn: sqs.arn('nowhere.fifo') });
    await expect(failure).rejects.toBeInstanceOf(ResourceNotFoundException);
    await expect(failure).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
  });

  it('refuses a destination that does not exist', async () => {
    await withDeadLetters();
    await expect(start({ DestinationArn: sqs.arn('nowhere.fifo') })).rejects.toBeInstanceOf(
      ResourceNotFoundException,
    );
  });

  it('refuses a destination of the other type, and the source itself', async () => {
    await withDeadLetters();
    await sqs.createQueue('plain');
    await expect(start({ DestinationArn: sqs.arn('plain') })).rejects.toMatchObject(REFUSED);
    await expect(start({ DestinationArn: sqs.arn('dead.fifo') })).rejects.toMatchObject(REFUSED);
  });

  it('refuses a second task while one is running, and takes it afterwards', async () => {
    await withDeadLetters('1');
    await start();
    await expect(start()).rejects.toMatchObject(REFUSED);
    sqs.clock.advance(1_000);
    await start();
  });
});

describe('a task', () => {
  it('shows how far it has come', async () => {
    await withDeadLetters('1', '2', '3');
    const startedAt = sqs.clock.now();
    const handle = await start({ MaxNumberOfMessagesPerSecond: 1 });
    sqs.clock.advance(1_000);
    expect(await tasks()).toEqual([
      {
        TaskHandle: handle,
        Status: 'RUNNING',
        SourceArn: sqs.arn('dead.fifo'),
        MaxNumberOfMessagesPerSecond: 1,
        ApproximateNumberOfMessagesMoved: 2,
        ApproximateNumberOfMessagesToMove: 3,
        StartedTimestamp: startedAt,
      },
    ]);
  });

  it('shows no handle once it is completed', async () => {
    await withDeadLetters('1');
    await start({ DestinationArn: sqs.arn('mail.fifo') });
    sqs.clock.advance(1_000);
    const [task] = await tasks();
    expect(task).toMatchObject({
      Status: 'COMPLETED',
      DestinationArn: sqs.arn('mail.fifo'),
      ApproximateNumberOfMessagesMoved: 1,
    });
    expect(task).not.toHaveProperty('TaskHandle');
  });

  it('fails at a message that was sent directly to the dead-letter queue', async () => {
    const { queue, dead } = await withDeadLetters('moved');
    await sqs.send(dead, 'direct');
    await start();
    sqs.clock.advance(1_000);
    expect(await tasks()).toMatchObject([
      {
        Status: 'FAILED',
        FailureReason: 'CouldNotDetermineMessageSource',
        ApproximateNumberOfMessagesMoved: 1,
      },
    ]);
    expect(await sqs.receiveBodies(queue)).toEqual(['moved']);
    expect(await sqs.receiveBodies(dead)).toEqual(['direct']);
  });

  it('moves such a message to a destination that is named', async () => {
    const { queue, dead } = await withDeadLetters();
    await sqs.send(dead, 'direct');
    await start({ DestinationArn: sqs.arn('mail.fifo') });
    sqs.clock.advance(1_000);
    expect(await sqs.receiveBodies(queue)).toEqual(['direct']);
  });

  it('fails when its destination is gone', async () => {
    const { dead } = await withDeadLetters('1', '2');
    const QueueUrl = await sqs.createQueue('target.fifo');
    await start({ DestinationArn: sqs.arn('target.fifo'), MaxNumberOfMessagesPerSecond: 1 });
    sqs.clock.advance(0);
    await sqs.client.send(new DeleteQueueCommand({ QueueUrl }));
    sqs.clock.advance(1_000);
    expect(await tasks()).toMatchObject([{ Status: 'FAILED', ApproximateNumberOfMessagesMoved: 1 }]);
    expect(await sqs.receiveBodies(dead)).toEqual(['2']);
  });

  it('stops when it is cancelled, and leaves the rest', async () => {
    const { queue, dead } = await withDeadLetters('1', '2', '3');
    const handle = await start({ MaxNumberOfMessagesPerSecond: 1 });
    sqs.clock.advance(1_000);
    expect(await cancel(handle)).toMatchObject({ ApproximateNumberOfMessagesMoved: 2 });
    sqs.clock.advance(10_000);
    expect(await tasks()).toMatchObject([{ Status: 'CANCELLED', ApproximateNumberOfMessagesMoved: 2 }]);
    expect(await sqs.receiveBodies(queue)).toEqual(['1', '2']);
    expect(await sqs.receiveBodies(dead)).toEqual(['3']);
  });

  it('cannot be cancelled when it is over, or never was', async () => {
    await withDeadLetters('1');
    const handle = await start();
    sqs.clock.advance(1_000);
    await expect(cancel(handle)).rejects.toMatchObject(REFUSED);
    await expect(cancel('nonsense')).rejects.toBeInstanceOf(ResourceNotFoundException);
  });

  it('is listed from the newest on, one unless more are asked for, ten at most', async () => {
    await withDeadLetters();
    const started: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      started.unshift(sqs.clock.now());
      await start();
      sqs.clock.advance(1_000);
    }
    expect(await tasks()).toMatchObject([{ StartedTimestamp: started[0] }]);
    expect((await tasks(10)).map(({ StartedTimestamp }) => StartedTimestamp)).toEqual(started.slice(0, 10));
    await expect(tasks(11)).rejects.toMatchObject(REFUSED);
  });

  it('is not listed for a queue that does not exist', async () => {
    await expect(tasks()).rejects.toBeInstanceOf(ResourceNotFoundException);
  });
});
