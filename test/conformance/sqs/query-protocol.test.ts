import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LocalSqs } from './local-sqs.ts';

const sqs = LocalSqs.forEachTest();

/** As clients of before 2023 speak: form fields in, XML out. */
async function call(Action: string, fields: Record<string, string> = {}, path = '/') {
  const body = new URLSearchParams({ Action, Version: '2012-11-05', ...fields });
  const response = await fetch(new URL(path, sqs.url), { method: 'POST', body });
  return { status: response.status, type: response.headers.get('content-type'), xml: await response.text() };
}

/** The text of every element of that name. */
function texts(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text]) => text!);
}

async function fifoQueue(): Promise<string> {
  const { xml } = await call('CreateQueue', {
    QueueName: 'mail.fifo',
    'Attribute.1.Name': 'FifoQueue',
    'Attribute.1.Value': 'true',
    'Attribute.2.Name': 'VisibilityTimeout',
    'Attribute.2.Value': '77',
    'Tag.1.Key': 'team',
    'Tag.1.Value': 'mail',
  });
  return texts(xml, 'QueueUrl')[0]!;
}

function send(QueueUrl: string, MessageBody: string, more: Record<string, string> = {}) {
  const ids = { MessageGroupId: 'group', MessageDeduplicationId: MessageBody.replaceAll(/\W/g, '_') };
  return call('SendMessage', { QueueUrl, MessageBody, ...ids, ...more });
}

it('answers in XML, with a request id', async () => {
  const { status, type, xml } = await call('CreateQueue', { QueueName: 'plain' });
  expect(status).toBe(200);
  expect(type).toBe('text/xml');
  expect(xml).toContain('<CreateQueueResponse xmlns="http://queue.amazonaws.com/doc/2012-11-05/">');
  expect(texts(xml, 'QueueUrl')).toEqual([sqs.queueUrl('plain')]);
  expect(texts(xml, 'RequestId')).toHaveLength(1);
});

it('reads and writes maps: attributes and tags', async () => {
  const QueueUrl = await fifoQueue();
  const attributes = await call('GetQueueAttributes', {
    QueueUrl,
    'AttributeName.1': 'VisibilityTimeout',
    'AttributeName.2': 'FifoQueue',
  });
  expect(attributes.xml).toContain(
    '<Attribute><Name>VisibilityTimeout</Name><Value>77</Value></Attribute>' +
      '<Attribute><Name>FifoQueue</Name><Value>true</Value></Attribute>',
  );
  const tags = await call('ListQueueTags', { QueueUrl });
  expect(tags.xml).toContain('<Tag><Key>team</Key><Value>mail</Value></Tag>');
});

it('writes lists: queues', async () => {
  await sqs.createQueue('a');
  await sqs.createQueue('b');
  const { xml } = await call('ListQueues');
  expect(texts(xml, 'QueueUrl')).toEqual([sqs.queueUrl('a'), sqs.queueUrl('b')]);
});

it('knows the queue by the path a request is posted to', async () => {
  const url = await sqs.createQueue('plain');
  await call('SendMessage', { MessageBody: 'one' }, new URL(url).pathname);
  expect(await sqs.receiveBodies(url)).toEqual(['one']);
});

it('sends and receives, whatever the characters', async () => {
  const QueueUrl = await fifoQueue();
  const sent = await send(QueueUrl, '<b>"é" & \r\n😀</b>', {
    'MessageAttribute.1.Name': 'k',
    'MessageAttribute.1.Value.DataType': 'Binary',
    'MessageAttribute.1.Value.BinaryValue': 'AP8=',
  });
  const md5 = createHash('md5').update('<b>"é" & \r\n😀</b>').digest('hex');
  expect(texts(sent.xml, 'MD5OfMessageBody')).toEqual([md5]);
  const { xml } = await call('ReceiveMessage', {
    QueueUrl,
    MaxNumberOfMessages: '10',
    'AttributeName.1': 'MessageGroupId',
    'MessageAttributeName.1': 'All',
  });
  expect(texts(xml, 'MessageId')).toEqual(texts(sent.xml, 'MessageId'));
  expect(texts(xml, 'Body')).toEqual(['&lt;b&gt;&quot;é&quot; &amp; &#xD;\n😀&lt;/b&gt;']);
  expect(xml).toContain('<Attribute><Name>MessageGroupId</Name><Value>group</Value></Attribute>');
  expect(xml).toContain(
    '<MessageAttribute><Name>k</Name><Value><DataType>Binary</DataType><BinaryValue>AP8=</BinaryValue></Value></MessageAttribute>',
  );
});

it.each(['ReceiveMessage', 'ListQueueTags'])('has an empty result when %s finds nothing', async (action) => {
  const QueueUrl = await sqs.createQueue('mail.fifo');
  const { xml } = await call(action, { QueueUrl });
  expect(xml).toContain(`<${action}Result></${action}Result>`);
});

it('has no result where the action has none', async () => {
  const QueueUrl = await sqs.createQueue('mail.fifo');
  const { status, xml } = await call('PurgeQueue', { QueueUrl });
  expect(status).toBe(200);
  expect(xml).not.toContain('Result');
});

it('takes the entries of a batch by their numbers, beyond nine too', async () => {
  const QueueUrl = await fifoQueue();
  const entries: Record<string, string> = {};
  for (let n = 10; n >= 1; n -= 1) {
    const entry = `SendMessageBatchRequestEntry.${n}`;
    entries[`${entry}.Id`] = `id${n}`;
    entries[`${entry}.MessageBody`] = String(n);
    entries[`${entry}.MessageDeduplicationId`] = String(n);
    if (n !== 3) entries[`${entry}.MessageGroupId`] = 'group';
  }
  const { xml } = await call('SendMessageBatch', { QueueUrl, ...entries });
  expect(xml.match(/<SendMessageBatchResultEntry>/g)).toHaveLength(9);
  expect(xml).toMatch(
    /<BatchResultErrorEntry><Id>id3<\/Id><SenderFault>true<\/SenderFault><Code>MissingParameter<\/Code>/,
  );
  expect(await sqs.receiveBodies(QueueUrl)).toEqual(['1', '2', '4', '5', '6', '7', '8', '9', '10']);
});

it('changes the visibility and deletes, one by one and in batches', async () => {
  const QueueUrl = await fifoQueue();
  for (const body of ['1', '2', '3']) await send(QueueUrl, body);
  const handles = (await sqs.receive(QueueUrl)).map(({ ReceiptHandle }) => ReceiptHandle!);
  await call('DeleteMessage', { QueueUrl, ReceiptHandle: handles[0]! });
  const deleted = await call('DeleteMessageBatch', {
    QueueUrl,
    'DeleteMessageBatchRequestEntry.1.Id': 'x',
    'DeleteMessageBatchRequestEntry.1.ReceiptHandle': handles[1]!,
  });
  expect(deleted.xml).toContain('<DeleteMessageBatchResultEntry><Id>x</Id></DeleteMessageBatchResultEntry>');
  const changed = await call('ChangeMessageVisibilityBatch', {
    QueueUrl,
    'ChangeMessageVisibilityBatchRequestEntry.1.Id': 'y',
    'ChangeMessageVisibilityBatchRequestEntry.1.ReceiptHandle': handles[2]!,
    'ChangeMessageVisibilityBatchRequestEntry.1.VisibilityTimeout': '0',
  });
  expect(changed.xml).toContain(
    '<ChangeMessageVisibilityBatchResultEntry><Id>y</Id></ChangeMessageVisibilityBatchResultEntry>',
  );
  expect(await sqs.receiveBodies(QueueUrl)).toEqual(['3']);
});

describe('an error', () => {
  it('is in XML under its older name', async () => {
    const { status, xml } = await call('GetQueueUrl', { QueueName: 'nowhere' });
    expect(status).toBe(400);
    expect(xml).toContain(
      '<Error><Type>Sender</Type><Code>AWS.SimpleQueueService.NonExistentQueue</Code><Message>The specified queue does not exist.</Message>',
    );
  });

  it('answers a request without an action', async () => {
    const response = await fetch(sqs.url);
    expect(response.status).toBe(400);
    expect(texts(await response.text(), 'Code')).toEqual(['MissingParameter']);
  });

  it('answers a number that is none', async () => {
    const QueueUrl = await sqs.createQueue('mail.fifo');
    const { status, xml } = await call('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 'ten' });
    expect(status).toBe(400);
    expect(texts(xml, 'Code')).toEqual(['InvalidParameterValue']);
  });
});
