import { describe, expect, it } from 'vitest';
import { LocalSqs } from './local-sqs.ts';

const sqs = LocalSqs.forEachTest();

/** What the SDK hides: headers and body as they are on the wire. */
async function post(target: string, body: string) {
  const response = await fetch(sqs.url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target },
    body,
  });
  return { status: response.status, headers: response.headers, json: (await response.json()) as unknown };
}

it('answers in JSON 1.0, with a request id', async () => {
  const { status, headers, json } = await post('AmazonSQS.CreateQueue', '{"QueueName":"plain"}');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/x-amz-json-1.0');
  expect(headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
  expect(json).toEqual({ QueueUrl: sqs.queueUrl('plain') });
});

it('leaves out the messages when there are none', async () => {
  const QueueUrl = await sqs.createQueue('mail.fifo');
  const { json } = await post('AmazonSQS.ReceiveMessage', JSON.stringify({ QueueUrl }));
  expect(json).toEqual({});
});

describe('an error', () => {
  it('has a type, and its older name in a header', async () => {
    const QueueUrl = sqs.queueUrl('nowhere');
    const { status, headers, json } = await post('AmazonSQS.PurgeQueue', JSON.stringify({ QueueUrl }));
    expect(status).toBe(400);
    expect(headers.get('x-amzn-query-error')).toBe('AWS.SimpleQueueService.NonExistentQueue;Sender');
    expect(json).toEqual({
      __type: 'com.amazonaws.sqs#QueueDoesNotExist',
      message: 'The specified queue does not exist.',
    });
  });

  it.each([
    ['an action that does not exist', 'AmazonSQS.Dance', '{}', 'InvalidAction'],
    ['a name every object has', 'AmazonSQS.toString', '{}', 'InvalidAction'],
    ['another service', 'DynamoDB_20120810.ListTables', '{}', 'InvalidAction'],
    ['a body that is not JSON', 'AmazonSQS.ListQueues', '{', 'SerializationException'],
    ['a body that is no object', 'AmazonSQS.ListQueues', '1', 'SerializationException'],
    ['a missing parameter', 'AmazonSQS.SendMessage', '{}', 'MissingRequiredParameterException'],
  ])('answers %s', async (_fault, target, body, type) => {
    const { status, json } = await post(target, body);
    expect(status).toBe(400);
    expect(json).toMatchObject({ __type: `com.amazonaws.sqs#${type}` });
  });
});
