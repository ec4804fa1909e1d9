import {
  CreateQueueCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SendMessageCommand,
  SetQueueAttributesCommand,
  type QueueAttributeName,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Stack } from './template/stack.ts';

/** Properties that are queue attributes of the same name; the others concern permissions and names. */
const ATTRIBUTES = [
  'FifoQueue',
  'ContentBasedDeduplication',
  'DeduplicationScope',
  'FifoThroughputLimit',
  'VisibilityTimeout',
  'MessageRetentionPeriod',
  'MaximumMessageSize',
  'DelaySeconds',
  'ReceiveMessageWaitTimeSeconds',
  'SqsManagedSseEnabled',
  'RedrivePolicy',
  'RedriveAllowPolicy',
] as const;

/** Creates or updates the template's queues, dead-letter queues before those that name them. */
export async function ensureQueues(stack: Stack, sqs: SQSClient): Promise<void> {
  const queues = stack.ofType('AWS::SQS::Queue').map((queue) => ({
    ...queue,
    name: stack.attribute(queue.id, 'QueueName'),
    attributes: queueAttributes(queue.properties()),
  }));
  queues.sort((a, b) => Number('RedrivePolicy' in a.attributes) - Number('RedrivePolicy' in b.attributes));
  for (const { id, name, attributes } of queues) {
    const url = await ensureQueue(sqs, name, attributes);
    stack.learn(id, { ref: url, attributes: { QueueUrl: url } });
  }
}

/** Sends to a queue that is known by its ARN, as Lambda's failure destinations are. */
export function queueSender(stack: Stack, sqs: SQSClient): (queueArn: string, body: string) => Promise<void> {
  return async (queueArn, MessageBody) => {
    const queue = stack.ofType('AWS::SQS::Queue').find(({ id }) => stack.attribute(id, 'Arn') === queueArn);
    if (!queue) throw new Error(`No queue ${queueArn} in the template.`);
    await sqs.send(new SendMessageCommand({ QueueUrl: stack.ref(queue.id), MessageBody }));
  };
}

function queueAttributes(properties: Readonly<Record<string, unknown>>): Record<string, string> {
  const present = ATTRIBUTES.filter((name) => properties[name] !== undefined);
  return Object.fromEntries(
    present.map((name) => {
      const value = properties[name];
      return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)];
    }),
  );
}

async function ensureQueue(
  sqs: SQSClient,
  name: string,
  attributes: Partial<Record<QueueAttributeName, string>>,
): Promise<string> {
  try {
    const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName: name }));
    const { FifoQueue, ...changeable } = attributes;
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: changeable }));
    return QueueUrl;
  } catch (error) {
    if (!(error instanceof QueueDoesNotExist)) throw error;
  }
  const { QueueUrl = '' } = await sqs.send(
    new CreateQueueCommand({ QueueName: name, Attributes: attributes }),
  );
  return QueueUrl;
}
