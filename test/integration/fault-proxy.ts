import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { readBody, serve, type RunningServer } from '../../local/http-server.ts';

/** One call of one room to one AWS service. */
export interface Call {
  /** The word of the room: functions sign under their own names. */
  readonly room: string;
  /** `PutItem`, `SendMessageBatch`, `SendEmail`; for S3 the HTTP method. */
  readonly operation: string;
  readonly body: string;
}

/** What the service said to a call. */
export interface ServiceAnswer {
  readonly status: number;
  readonly body: string;
}

/** What comes back instead of an answer of the service. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly message?: string;
}

export interface Hooks {
  /** Before the service sees the call; a refusal keeps it from seeing it at all. */
  before?(call: Call): Refusal | undefined | void;
  /** After the service has done it and before the caller hears of it; a refusal is heard instead. */
  after?(call: Call, answer: ServiceAnswer): Refusal | undefined | void;
}

/** Stands between the functions and a service. */
export function startFaultProxy(target: string, hooks: Hooks): Promise<RunningServer> {
  return serve((request, response) => {
    handle(request, response, target, hooks).catch(() => response.destroy());
  });
}

/**
 * Sees the calls to an emulator of this process without standing in their way, and so without their bodies. The SDK
 * calls a queue at its URL whatever the endpoint is: no proxy sees that. The returned function looks away again.
 */
export function watchCalls(url: string, seen: (call: Omit<Call, 'body'>) => void): () => void {
  const { host } = new URL(url);
  const look = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (request.headers.host === host) seen(describeCall(request));
  };
  subscribe('http.server.request.start', look);
  return () => unsubscribe('http.server.request.start', look);
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  hooks: Hooks,
): Promise<void> {
  const body = await readBody(request);
  const call = { ...describeCall(request), body: body.toString('utf8') };
  const refused = hooks.before?.(call);
  if (refused) return refuse(response, refused);
  const answer = await pass(request, body, target);
  const answerBody = await readBody(answer);
  const status = answer.statusCode ?? 500;
  const lost = hooks.after?.(call, { status, body: answerBody.toString('utf8') });
  if (lost) return refuse(response, lost);
  response.writeHead(status, answer.headers).end(answerBody);
}

function pass(request: IncomingMessage, body: Buffer, target: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, headers } = request;
    const outgoing = forward(new URL(request.url ?? '/', target), { method, headers, agent: false }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function describeCall(request: IncomingMessage): Omit<Call, 'body'> {
  const signer = /Credential=([A-Za-z]+)/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const target = String(request.headers['x-amz-target'] ?? '')
    .split('.')
    .at(-1);
  return {
    room: (/^[A-Z][a-z]+/.exec(signer)?.[0] ?? '').toLowerCase(),
    operation: target || (request.url?.includes('outbound-emails') ? 'SendEmail' : (request.method ?? '')),
  };
}

function refuse(response: ServerResponse, { status, type, message = type }: Refusal): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': type });
  response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message }));
}
