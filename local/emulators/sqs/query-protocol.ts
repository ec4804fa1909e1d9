import type { IncomingMessage } from 'node:http';
import type { Input, Output } from './actions.ts';
import { SqsError, missingParameter } from './errors.ts';
import type { Call, Protocol } from './protocol.ts';
import { toXml } from './query-xml.ts';

const NAMESPACE = 'http://queue.amazonaws.com/doc/2012-11-05/';

interface Node {
  [part: string]: Node | string;
}

/** `X.1=…` is a list, `X.1.Name=… X.1.Value=…` a map. */
const LISTS: Record<string, string> = {
  AttributeName: 'AttributeNames',
  MessageSystemAttributeName: 'MessageSystemAttributeNames',
  MessageAttributeName: 'MessageAttributeNames',
  TagKey: 'TagKeys',
  SendMessageBatchRequestEntry: 'Entries',
  DeleteMessageBatchRequestEntry: 'Entries',
  ChangeMessageVisibilityBatchRequestEntry: 'Entries',
};
const MAPS: Record<string, string> = {
  Attribute: 'Attributes',
  MessageAttribute: 'MessageAttributes',
  MessageSystemAttribute: 'MessageSystemAttributes',
  Tag: 'Tags',
};
const NUMBERS = new Set([
  'DelaySeconds',
  'MaxNumberOfMessages',
  'MaxNumberOfMessagesPerSecond',
  'MaxResults',
  'VisibilityTimeout',
  'WaitTimeSeconds',
]);

/** Answered with metadata alone; every other action has a result element, which old clients expect even when empty. */
const WITHOUT_RESULT = new Set([
  'ChangeMessageVisibility',
  'DeleteMessage',
  'DeleteQueue',
  'PurgeQueue',
  'SetQueueAttributes',
  'TagQueue',
  'UntagQueue',
]);

/** Form fields in, XML out: what CLIs before 2.15 and SDKs of that age speak. */
export const queryProtocol: Protocol = {
  contentType: 'text/xml',

  read(request: IncomingMessage, body: string): Call {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const { Action, ...fields } = tree([...url.searchParams, ...new URLSearchParams(body)]);
    if (typeof Action !== 'string') throw missingParameter('Action');
    const input = members(fields);
    // Requests about one queue may name it by the path they are posted to.
    if (url.pathname !== '/') input['QueueUrl'] ??= url.href;
    if (Action === 'CreateQueue' && input['Tags']) input['tags'] = input['Tags'];
    return { action: Action, input };
  },

  writeOutput(action: string, output: Output, requestId: string): string {
    const result = WITHOUT_RESULT.has(action)
      ? ''
      : `<${action}Result>${toXml(action, output)}</${action}Result>`;
    const metadata = `<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata>`;
    return `<?xml version="1.0"?><${action}Response xmlns="${NAMESPACE}">${result}${metadata}</${action}Response>`;
  },

  writeError(error: SqsError, requestId: string): string {
    const Type = error.senderFault ? 'Sender' : 'Receiver';
    const detail = toXml('Error', { Type, Code: error.queryCode, Message: error.message });
    return `<?xml version="1.0"?><ErrorResponse xmlns="${NAMESPACE}"><Error>${detail}<Detail/></Error><RequestId>${requestId}</RequestId></ErrorResponse>`;
  },
};

/** Fields with dots in their names as a tree. */
function tree(fields: [string, string][]): Node {
  const root: Node = Object.create(null) as Node;
  for (const [path, value] of fields) {
    const parts = path.split('.');
    let node = root;
    for (const part of parts.slice(0, -1)) {
      const next = node[part];
      node = typeof next === 'object' ? next : (node[part] = Object.create(null) as Node);
    }
    node[parts.at(-1)!] = value;
  }
  return root;
}

function members(node: Node): Input {
  const input: Input = {};
  for (const [name, value] of Object.entries(node)) {
    const list = LISTS[name];
    const map = MAPS[name];
    if (typeof value === 'string') input[name] = NUMBERS.has(name) ? Number(value) : value;
    else if (list) input[list] = inOrder(value).map(membersOrText);
    else if (map) input[map] = Object.fromEntries(inOrder(value).map(nameAndValue));
    else input[name] = members(value);
  }
  return input;
}

function membersOrText(value: Node | string): unknown {
  return typeof value === 'string' ? value : members(value);
}

function nameAndValue(entry: Node | string): [string, unknown] {
  if (typeof entry === 'string')
    throw new SqsError('MalformedQueryString', 'A map entry needs a name and a value.');
  return [String(entry['Name'] ?? entry['Key']), membersOrText(entry['Value'] ?? '')];
}

function inOrder(numbered: Node): (Node | string)[] {
  return Object.entries(numbered)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, value]) => value);
}
