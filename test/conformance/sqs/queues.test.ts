import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListDeadLetterSourceQueuesCommand,
  ListQueuesCommand,
  ListQueueTagsCommand,
  PurgeQueueCommand,
  QueueDoesNotExist,
  SetQueueAttributesCommand,
  TagQueueCommand,
  UntagQueueCommand,
} from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { LocalSqs } from './local-sqs.ts';

const sqs = LocalSqs.forEachTest();

async function attributesOf(QueueUrl: string, ...AttributeNames: string[]) {
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: AttributeNames as ['All'] });
  return (await sqs.client.send(command)).Attributes;
}

function setAttributes(QueueUrl: string, Attributes: Record<string, string>) {
  return sqs.client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
}

describe('creating', () => {
  it('answers with a URL made of endpoint, account and name', async () => {
    expect(await sqs.createQueue('mail.fifo')).toBe(`${sqs.url}/000000000000/mail.fifo`);
  });

  it('gives a FIFO queue the defaults of SQS', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    expect(await attributesOf(queue, 'All')).toMatchObject({
      QueueArn: 'arn:aws:sqs:us-east-1:000000000000:mail.fifo',
      VisibilityTimeout: '30',
      MessageRetentionPeriod: '345600',
      MaximumMessageSize: '1048576',
      DelaySeconds: '0',
      ReceiveMessageWaitTimeSeconds: '0',
      FifoQueue: 'true',
      ContentBasedDeduplication: 'false',
      DeduplicationScope: 'queue',
      FifoThroughputLimit: 'perQueue',
      CreatedTimestamp: String(Math.floor(sqs.clock.now() / 1000)),
    });
  });

  it('returns the existing queue when the attributes agree', async () => {
    const first = await sqs.createQueue('mail.fifo', { VisibilityTimeout: '60' });
    expect(await sqs.createQueue('mail.fifo', { VisibilityTimeout: '60' })).toBe(first);
  });

  it('refuses the name of an existing queue with other attributes', async () => {
    await sqs.createQueue('mail.fifo', { VisibilityTimeout: '60' });
    await expect(sqs.createQueue('mail.fifo', { VisibilityTimeout: '61' })).rejects.toMatchObject({
      name: 'QueueNameExists',
      Error: { Code: 'QueueAlreadyExists', Type: 'Sender' },
    });
  });

  it('wants the .fifo suffix on a FIFO queue and on no other', async () => {
    const create = (QueueName: string, Attributes?: { FifoQueue: string }) =>
      sqs.client.send(new CreateQueueCommand({ QueueName, Attributes }));
    await expect(create('mail', { FifoQueue: 'true' })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
    await expect(create('mail.fifo')).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  });

  it.each(['', 'with space', 'x'.repeat(81)])('refuses the name %j', async (name) => {
    await expect(sqs.createQueue(name)).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } });
  });
});

describe('attributes', () => {
  it('returns only those asked for', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    expect(await attributesOf(queue, 'VisibilityTimeout')).toEqual({ VisibilityTimeout: '30' });
    expect(await attributesOf(queue)).toBeUndefined();
  });

  it('changes what is set, and notes when', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    sqs.clock.advance(5000);
    await setAttributes(queue, { VisibilityTimeout: '360' });
    expect(await attributesOf(queue, 'VisibilityTimeout', 'LastModifiedTimestamp')).toEqual({
      VisibilityTimeout: '360',
      LastModifiedTimestamp: String(Math.floor(sqs.clock.now() / 1000)),
    });
  });

  it.each([
    ['VisibilityTimeout', '43201'],
    ['VisibilityTimeout', '-1'],
    ['DelaySeconds', '901'],
    ['MessageRetentionPeriod', '59'],
    ['MessageRetentionPeriod', '1209601'],
    ['MaximumMessageSize', '1048577'],
    ['ReceiveMessageWaitTimeSeconds', '21'],
    ['ContentBasedDeduplication', 'yes'],
    ['DeduplicationScope', 'galaxy'],
  ])('refuses %s = %s', async (name, value) => {
    const queue = await sqs.createQueue('mail.fifo');
    await expect(setAttributes(queue, { [name]: value })).rejects.toMatchObject({
      name: 'InvalidAttributeValue',
    });
  });

  it('refuses an attribute it does not know', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    const unknown = { name: 'InvalidAttributeName' };
    await expect(setAttributes(queue, { Colour: 'red' })).rejects.toMatchObject(unknown);
    await expect(attributesOf(queue, 'Colour')).rejects.toMatchObject(unknown);
  });

  it('refuses FIFO attributes on a standard queue', async () => {
    const queue = await sqs.createQueue('plain');
    await expect(setAttributes(queue, { ContentBasedDeduplication: 'true' })).rejects.toMatchObject({
      name: 'InvalidAttributeName',
    });
  });

  it('allows throughput per group only with deduplication per group', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    const perGroup = { FifoThroughputLimit: 'perMessageGroupId' };
    await expect(setAttributes(queue, perGroup)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    await setAttributes(queue, { ...perGroup, DeduplicationScope: 'messageGroup' });
    expect(await attributesOf(queue, 'FifoThroughputLimit')).toEqual(perGroup);
  });

  it('takes a policy away when it is set to nothing', async () => {
    const { queue } = await sqs.createQueueWithDeadLetters('mail.fifo', 3);
    await setAttributes(queue, { RedrivePolicy: '' });
    expect(await attributesOf(queue, 'RedrivePolicy')).toBeUndefined();
  });
});

describe('finding', () => {
  it('gets the URL of a queue by its name', async () => {
    const queue = await sqs.createQueue('mail.fifo');
    const found = await sqs.client.send(new GetQueueUrlCommand({ QueueName: 'mail.fifo' }));
    expect(found.QueueUrl).toBe(queue);
  });

  it('answers with a typed error when there is no such queue', async () => {
    const failure = sqs.client.send(new GetQueueUrlCommand({ QueueName: 'nowhere' }));
    await expect(failure).rejects.toBeInstanceOf(QueueDoesNotExist);
    await expect(failure).rejects.toMatchObject({
      Error: { Code: 'AWS.SimpleQueueService.NonExistentQueue' },
    });
  });

  it('lists queues by prefix', async () => {
    await sqs.createQueue('mail-a.fifo');
    await sqs.createQueue('mail-b');
    await sqs.createQueue('other');
    const { QueueUrls } = await sqs.client.send(new ListQueuesCommand({ QueueNamePrefix: 'mail' }));
    expect(QueueUrls).toEqual([sqs.queueUrl('mail-a.fifo'), sqs.queueUrl('mail-b')]);
  });

  it('lists queues page by page', async () => {
    for (const name of ['a', 'b', 'c']) await sqs.createQueue(name);
    const first = await sqs.client.send(new ListQueuesCommand({ MaxResults: 2 }));
    expect(first.QueueUrls).toEqual([sqs.queueUrl('a'), sqs.queueUrl('b')]);
    const second = await sqs.client.send(
      new ListQueuesCommand({ MaxResults: 2, NextToken: first.NextToken }),
    );
    expect(second.QueueUrls).toEqual([sqs.queueUrl('c')]);
    expect(second.NextToken).toBeUndefined();
  });

  it('lists the queues that a dead-letter queue serves', async () => {
    const { queue, dead } = await sqs.createQueueWithDeadLetters('mail.fifo', 3);
    await sqs.createQueue('other.fifo');
    const { queueUrls } = await sqs.client.send(new ListDeadLetterSourceQueuesCommand({ QueueUrl: dead }));
    expect(queueUrls).toEqual([queue]);
  });
});

it('keeps tags, and takes them away again', async () => {
  const { QueueUrl } = await sqs.client.send(
    new CreateQueueCommand({ QueueName: 'plain', tags: { team: 'mail' } }),
  );
  await sqs.client.send(new TagQueueCommand({ QueueUrl, Tags: { stage: 'test' } }));
  expect((await sqs.client.send(new ListQueueTagsCommand({ QueueUrl }))).Tags).toEqual({
    team: 'mail',
    stage: 'test',
  });
  await sqs.client.send(new UntagQueueCommand({ QueueUrl, TagKeys: ['team'] }));
  expect((await sqs.client.send(new ListQueueTagsCommand({ QueueUrl }))).Tags).toEqual({ stage: 'test' });
});

it('purges visible messages and those in flight', async () => {
  const queue = await sqs.createQueue('mail.fifo');
  await sqs.send(queue, 'in flight', { MessageGroupId: 'a' });
  await sqs.receive(queue);
  await sqs.send(queue, 'visible', { MessageGroupId: 'b' });
  await sqs.client.send(new PurgeQueueCommand({ QueueUrl: queue }));
  sqs.clock.advance(60_000);
  expect(await sqs.receive(queue)).toEqual([]);
});

it('purges at most once a minute', async () => {
  const QueueUrl = await sqs.createQueue('mail.fifo');
  await sqs.client.send(new PurgeQueueCommand({ QueueUrl }));
  const again = () => sqs.client.send(new PurgeQueueCommand({ QueueUrl }));
  await expect(again()).rejects.toMatchObject({ name: 'PurgeQueueInProgress' });
  sqs.clock.advance(60_000);
  await again();
});

it('deletes a queue with all that is in it', async () => {
  const QueueUrl = await sqs.createQueue('mail.fifo');
  await sqs.send(QueueUrl, 'gone', { MessageDeduplicationId: 'same' });
  await sqs.client.send(new DeleteQueueCommand({ QueueUrl }));
  await expect(sqs.receive(QueueUrl)).rejects.toBeInstanceOf(QueueDoesNotExist);
  await sqs.createQueue('mail.fifo');
  expect(await sqs.receive(QueueUrl)).toEqual([]);
  await sqs.send(QueueUrl, 'new', { MessageDeduplicationId: 'same' });
  expect(await sqs.receiveBodies(QueueUrl)).toEqual(['new']);
});
