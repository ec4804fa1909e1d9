import type {
  CreateQueueRequest,
  DeleteQueueRequest,
  GetQueueAttributesRequest,
  GetQueueUrlRequest,
  ListDeadLetterSourceQueuesRequest,
  ListQueuesRequest,
  ListQueueTagsRequest,
  PurgeQueueRequest,
  SetQueueAttributesRequest,
  TagQueueRequest,
  UntagQueueRequest,
} from '@aws-sdk/client-sqs';
import type { Account } from './account.ts';
import { SqsError, invalidParameter, missingParameter, noSuchQueue } from './errors.ts';
import { optionalInteger } from './parameters.ts';
import { ATTRIBUTE_NAMES, type Attributes } from './queue-attributes.ts';
import type { Queue } from './queue.ts';

const LARGEST_PAGE = 1000;
const MOST_TAGS = 50;

export function createQueue({ queues, urlOf }: Account, input: CreateQueueRequest) {
  if (!input.QueueName) throw missingParameter('QueueName');
  const attributes = (input.Attributes ?? {}) as Attributes;
  return { QueueUrl: urlOf(queues.create(input.QueueName, attributes, input.tags ?? {})) };
}

export function deleteQueue({ queues }: Account, input: DeleteQueueRequest) {
  queues.delete(queues.byUrl(input.QueueUrl));
  return {};
}

export function getQueueUrl({ queues, urlOf }: Account, input: GetQueueUrlRequest) {
  if (!input.QueueName) throw missingParameter('QueueName');
  const queue = queues.find(input.QueueName);
  if (!queue) throw noSuchQueue();
  return { QueueUrl: urlOf(queue) };
}

export function listQueues({ queues, urlOf }: Account, input: ListQueuesRequest) {
  const matching = queues.all().filter((queue) => queue.name.startsWith(input.QueueNamePrefix ?? ''));
  const { page, NextToken } = pageOf(matching, input);
  return { ...(page.length > 0 && { QueueUrls: page.map(urlOf) }), ...(NextToken && { NextToken }) };
}

export function listDeadLetterSourceQueues(
  { queues, urlOf }: Account,
  input: ListDeadLetterSourceQueuesRequest,
) {
  const { page, NextToken } = pageOf(queues.sourcesOf(queues.byUrl(input.QueueUrl)), input);
  return { queueUrls: page.map(urlOf), ...(NextToken && { NextToken }) };
}

export function getQueueAttributes({ queues }: Account, input: GetQueueAttributesRequest) {
  const queue = queues.byUrl(input.QueueUrl);
  const wanted = new Set<string>(input.AttributeNames ?? []);
  for (const name of wanted) {
    if (name !== 'All' && !ATTRIBUTE_NAMES.has(name)) {
      throw new SqsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
    }
  }
  const all = Object.entries({ ...measured(queue), ...queue.record.attributes });
  const selected = wanted.has('All') ? all : all.filter(([name]) => wanted.has(name));
  return selected.length > 0 ? { Attributes: Object.fromEntries(selected) } : {};
}

export function setQueueAttributes({ queues }: Account, input: SetQueueAttributesRequest) {
  const queue = queues.byUrl(input.QueueUrl);
  if (!input.Attributes) throw missingParameter('Attributes');
  queues.setAttributes(queue, input.Attributes as Attributes);
  return {};
}

export function purgeQueue({ queues }: Account, input: PurgeQueueRequest) {
  queues.byUrl(input.QueueUrl).purge();
  return {};
}

export function tagQueue({ queues }: Account, input: TagQueueRequest) {
  const queue = queues.byUrl(input.QueueUrl);
  if (!input.Tags) throw missingParameter('Tags');
  const tags = { ...queue.record.tags, ...input.Tags };
  if (Object.keys(tags).length > MOST_TAGS) {
    throw invalidParameter(`Too many tags added for queue ${queue.name}.`);
  }
  queue.update({ ...queue.record, tags });
  return {};
}

export function untagQueue({ queues }: Account, input: UntagQueueRequest) {
  const queue = queues.byUrl(input.QueueUrl);
  if (!input.TagKeys) throw missingParameter('TagKeys');
  const tags = { ...queue.record.tags };
  for (const key of input.TagKeys) delete tags[key];
  queue.update({ ...queue.record, tags });
  return {};
}

export function listQueueTags({ queues }: Account, input: ListQueueTagsRequest) {
  const { tags } = queues.byUrl(input.QueueUrl).record;
  return Object.keys(tags).length > 0 ? { Tags: tags } : {};
}

function measured(queue: Queue): Attributes {
  queue.contents.settle();
  const { visible, inFlight, delayed } = queue.contents.counts;
  return {
    QueueArn: queue.arn,
    CreatedTimestamp: String(Math.floor(queue.record.createdAt / 1000)),
    LastModifiedTimestamp: String(Math.floor(queue.record.modifiedAt / 1000)),
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
  };
}

/** Only a caller that gives MaxResults gets a token; the token is the last name of the page. */
function pageOf(
  queues: Queue[],
  { MaxResults, NextToken }: { MaxResults?: number | undefined; NextToken?: string | undefined },
): { page: Queue[]; NextToken?: string } {
  const size = optionalInteger('MaxResults', MaxResults, 1, LARGEST_PAGE);
  const after = NextToken ? Buffer.from(NextToken, 'base64').toString() : '';
  const remaining = queues.filter((queue) => queue.name > after);
  const page = remaining.slice(0, size ?? LARGEST_PAGE);
  if (size === undefined || page.length === remaining.length) return { page };
  return { page, NextToken: Buffer.from(page.at(-1)!.name).toString('base64') };
}
