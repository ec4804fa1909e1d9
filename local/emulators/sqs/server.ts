import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock, type Clock } from '../../clock.ts';
import { readBody, serve } from '../../http-server.ts';
import type { Account } from './account.ts';
import { perform } from './actions.ts';
import { SqsError } from './errors.ts';
import { jsonProtocol } from './json-protocol.ts';
import { MoveTasks } from './move-tasks.ts';
import { queryProtocol } from './query-protocol.ts';
import { ACCOUNT_ID, Queues } from './queues.ts';
import { SqsStore } from './store.ts';

/** Longer than clients keep an idle connection, so that they never reuse one that is being closed. */
const KEEP_ALIVE_MS = 120_000;

export interface SqsOptions {
  readonly dataDir: string;
  /** @default a free one */
  readonly port?: number;
  /** @default the system's */
  readonly clock?: Clock;
  /** @default us-east-1 */
  readonly region?: string;
}

export interface SqsEmulator {
  readonly url: string;
  readonly port: number;
  queueUrl(name: string): string;
  close(): Promise<void>;
}

/** Amazon SQS on 127.0.0.1, for the AWS SDK and the AWS CLI as they are. */
export async function startSqs(options: SqsOptions): Promise<SqsEmulator> {
  const clock = options.clock ?? systemClock;
  // The port comes first: if another emulator has it, that one's data must stay untouched. Nothing is awaited
  // from here to the account, so no request can come in before it is there.
  const listening = await serve((request, response) => void answer(account, request, response), options.port);
  listening.server.keepAliveTimeout = KEEP_ALIVE_MS;
  const store = new SqsStore(options.dataDir);
  const queues = new Queues(store, clock, options.region ?? 'us-east-1');
  const moveTasks = new MoveTasks(store.moveTasks, queues, clock);
  const queueUrl = (name: string) => `${listening.url}/${ACCOUNT_ID}/${name}`;
  const account: Account = { queues, moveTasks, urlOf: (queue) => queueUrl(queue.name) };
  return {
    url: listening.url,
    port: listening.port,
    queueUrl,
    close: async () => {
      moveTasks.close();
      await listening.close();
      // Only now: a request that came in last could have set an alarm, which would ring on a closed store.
      queues.close();
      store.close();
    },
  };
}

async function answer(account: Account, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const protocol = request.headers['x-amz-target'] === undefined ? queryProtocol : jsonProtocol;
  const requestId = randomUUID();
  const hungUp = new AbortController();
  response.once('close', () => hungUp.abort());
  response.setHeader('content-type', protocol.contentType);
  response.setHeader('x-amzn-requestid', requestId);
  try {
    const body = await readBody(request);
    const { action, input } = protocol.read(request, body.toString());
    const output = await perform(account, action, input, hungUp.signal);
    response.end(protocol.writeOutput(action, output, requestId));
  } catch (thrown) {
    if (hungUp.signal.aborted) return;
    const error = thrown instanceof SqsError ? thrown : new SqsError('InternalFailure', String(thrown));
    response.statusCode = error.status;
    response.setHeader(
      'x-amzn-query-error',
      `${error.queryCode};${error.senderFault ? 'Sender' : 'Receiver'}`,
    );
    response.end(protocol.writeError(error, requestId));
  }
}
