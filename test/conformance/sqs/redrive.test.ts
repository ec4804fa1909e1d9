import { SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { LocalSqs, bodies, receiveCounts } from './local-sqs.ts';

const sqs = LocalSqs.forEachTest();

/** Receives everything there is and lets its visibility time out. */
async function receiveInVain(queue: string): Promise<string[]> {
  const received = await sqs.receiveBodies(queue);
  sqs.clock.advance(30_000);
  return received;
}

describe('a message that was received maxReceiveCount times', () => {
  it('moves to the dead-letter queue instead of being received once more', async () => {
    const { queue, dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 2);
    await sqs.send(queue, 'bad');
    expect(await receiveInVain(queue)).toEqual(['bad']);
    expect(await receiveInVain(queue)).toEqual(['bad']);
    expect(await sqs.receive(dead)).toEqual([]);
    expect(await sqs.receive(queue)).toEqual([]);
    expect(await sqs.receiveBodies(dead)).toEqual(['bad']);
    expect(await sqs.counts(queue)).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  it('keeps id, group, content and attributes, and tells where it came from', async () => {
    const { queue, dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 1);
    const MessageAttributes = { k: { DataType: 'String', StringValue: 'v' } };
    const sent = await sqs.send(queue, 'bad', { MessageGroupId: 'tenant', MessageAttributes });
    await receiveInVain(queue);
    await sqs.receive(queue);
    const [message] = await sqs.receive(dead, { MessageAttributeNames: ['All'] });
    expect(message).toMatchObject({ MessageId: sent.MessageId, Body: 'bad', MessageAttributes });
    expect(message!.Attributes).toMatchObject({
      MessageGroupId: 'tenant',
      DeadLetterQueueSourceArn: sqs.arn('mail.fifo'),
    });
  });

  it('gets its own id as deduplication id, so that no two messages exclude each other', async () => {
    const { queue, dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 1);
    const same = { MessageDeduplicationId: 'same' };
    const first = await sqs.send(queue, 'one', same);
    await receiveInVain(queue);
    await sqs.receive(queue);
    sqs.clock.advance(5 * 60_000);
    const second = await sqs.send(queue, 'two', same);
    await receiveInVain(queue);
    await sqs.receive(queue);
    const moved = await sqs.receive(dead);
    expect(bodies(moved)).toEqual(['one', 'two']);
    expect(moved.map(({ Attributes }) => Attributes!['MessageDeduplicationId'])).toEqual([
      first.MessageId,
      second.MessageId,
    ]);
  });

  it('counts its time in the dead-letter queue afresh', async () => {
    const { queue, dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 1);
    await sqs.client.send(
      new SetQueueAttributesCommand({ QueueUrl: dead, Attributes: { MessageRetentionPeriod: '60' } }),
    );
    await sqs.send(queue, 'bad');
    sqs.clock.advance(3_600_000);
    await receiveInVain(queue);
    await sqs.receive(queue);
    const movedAt = sqs.clock.now();
    const [message] = await sqs.receive(dead, { VisibilityTimeout: 0 });
    expect(message!.Attributes!['SentTimestamp']).toBe(String(movedAt));
    sqs.clock.advance(59_999);
    expect(await sqs.counts(dead)).toMatchObject({ visible: 1 });
    sqs.clock.advance(1);
    expect(await sqs.counts(dead)).toMatchObject({ visible: 0 });
  });

  it('keeps the time at which it was sent when the queues are standard ones', async () => {
    const dead = await sqs.createQueue('dead');
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: sqs.arn('dead'), maxReceiveCount: 1 });
    const queue = await sqs.createQueue('plain', { RedrivePolicy });
    const sentAt = sqs.clock.now();
    await sqs.send(queue, 'bad', { MessageGroupId: undefined, MessageDeduplicationId: undefined });
    await receiveInVain(queue);
    await sqs.receive(queue);
    const [message] = await sqs.receive(dead);
    expect(message!.Attributes!['SentTimestamp']).toBe(String(sentAt));
  });

  it('goes on counting receives over both queues', async () => {
    const { queue, dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 2);
    await sqs.send(queue, 'bad');
    await receiveInVain(queue);
    await receiveInVain(queue);
    await sqs.receive(queue);
    expect(receiveCounts(await sqs.receive(dead))).toEqual([3]);
  });

  it('releases its group: the next one comes in the same receive', async () => {
    const { queue, dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 1);
    await sqs.send(queue, 'bad');
    await sqs.receive(queue, { MaxNumberOfMessages: 1 });
    await sqs.send(queue, 'good');
    sqs.clock.advance(30_000);
    const received = await sqs.receive(queue);
    expect(bodies(received)).toEqual(['good']);
    expect(receiveCounts(received)).toEqual([1]);
    expect(await sqs.receiveBodies(dead)).toEqual(['bad']);
  });

  it('arrives in the order of its group', async () => {
    const { queue, dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 1);
    for (const body of ['1', '2', '3']) await sqs.send(queue, body);
    await receiveInVain(queue);
    expect(await sqs.receive(queue)).toEqual([]);
    expect(await sqs.receiveBodies(dead)).toEqual(['1', '2', '3']);
  });

  it('cannot be deleted with its old handle any more', async () => {
    const { queue, dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 1);
    await sqs.send(queue, 'bad');
    const [message] = await sqs.receive(queue);
    sqs.clock.advance(30_000);
    await sqs.receive(queue);
    await expect(sqs.delete(queue, message!)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    expect(await sqs.receiveBodies(dead)).toEqual(['bad']);
  });

  it('stays where it is once the policy was taken away', async () => {
    const { queue } = await sqs.createQueueWithDeadLetters('mail.fifo', 1);
    await sqs.send(queue, 'bad');
    await receiveInVain(queue);
    await sqs.client.send(
      new SetQueueAttributesCommand({ QueueUrl: queue, Attributes: { RedrivePolicy: '' } }),
    );
    expect(receiveCounts(await sqs.receive(queue))).toEqual([2]);
  });
});

describe('a redrive policy', () => {
  const createWith = (policy: unknown) =>
    sqs.createQueue('mail.fifo', {
      RedrivePolicy: typeof policy === 'string' ? policy : JSON.stringify(policy),
    });
  const REFUSED = { name: 'InvalidParameterValue' };

  it('is refused when it names a queue that does not exist', async () => {
    await expect(
      createWith({ deadLetterTargetArn: sqs.arn('nowhere.fifo'), maxReceiveCount: 3 }),
    ).rejects.toMatchObject(REFUSED);
  });

  it('is refused when it names a standard queue', async () => {
    await sqs.createQueue('dead');
    await expect(
      createWith({ deadLetterTargetArn: sqs.arn('dead'), maxReceiveCount: 3 }),
    ).rejects.toMatchObject(REFUSED);
  });

  it('is refused on a standard queue when it names a FIFO queue', async () => {
    await sqs.createQueue('dead.fifo');
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: sqs.arn('dead.fifo'), maxReceiveCount: 3 });
    await expect(sqs.createQueue('plain', { RedrivePolicy })).rejects.toMatchObject(REFUSED);
  });

  it('is refused when it names the queue itself', async () => {
    const QueueUrl = await sqs.createQueue('mail.fifo');
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: sqs.arn('mail.fifo'), maxReceiveCount: 3 });
    const command = new SetQueueAttributesCommand({ QueueUrl, Attributes: { RedrivePolicy } });
    await expect(sqs.client.send(command)).rejects.toMatchObject(REFUSED);
  });

  it.each([0, 1001, 1.5, 'many', undefined])('is refused with %j as maxReceiveCount', async (count) => {
    await sqs.createQueue('dead.fifo');
    await expect(
      createWith({ deadLetterTargetArn: sqs.arn('dead.fifo'), maxReceiveCount: count }),
    ).rejects.toMatchObject(REFUSED);
  });

  it('takes the count as text, as the CLI often writes it', async () => {
    const dead = await sqs.createQueue('dead.fifo');
    const queue = await createWith({ deadLetterTargetArn: sqs.arn('dead.fifo'), maxReceiveCount: '1' });
    await sqs.send(queue, 'bad');
    await receiveInVain(queue);
    await sqs.receive(queue);
    expect(await sqs.receiveBodies(dead)).toEqual(['bad']);
  });

  it.each(['{', '[]', '"text"', '{"maxReceiveCount":3}'])('is refused when it is %s', async (text) => {
    await expect(createWith(text)).rejects.toMatchObject(REFUSED);
  });

  it.each([
    [{ redrivePermission: 'denyAll' }, false],
    [{ redrivePermission: 'allowAll' }, true],
    [{ redrivePermission: 'byQueue', sourceQueueArns: [sqs.arn('other.fifo')] }, false],
    [{ redrivePermission: 'byQueue', sourceQueueArns: [sqs.arn('mail.fifo')] }, true],
  ])('under %j at the dead-letter queue: accepted %s', async (allow, accepted) => {
    await sqs.createQueue('dead.fifo', { RedriveAllowPolicy: JSON.stringify(allow) });
    const creating = createWith({ deadLetterTargetArn: sqs.arn('dead.fifo'), maxReceiveCount: 3 });
    if (accepted) expect(await creating).toBe(sqs.queueUrl('mail.fifo'));
    else await expect(creating).rejects.toMatchObject(REFUSED);
  });
});
