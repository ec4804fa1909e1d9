import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock, type Clock } from '../../clock.ts';
import { serve } from '../../http-server.ts';
import { Buckets } from './buckets.ts';
import { S3Error } from './errors.ts';
import { perform, type Account, type ObjectCreated } from './operations.ts';
import { readRequest } from './s3-request.ts';
import { document } from './xml.ts';

/** Longer than clients keep an idle connection, so that they never reuse one that is being closed. */
const KEEP_ALIVE_MS = 120_000;

export interface S3Options {
  readonly dataDir: string;
  /** @default a free one */
  readonly port?: number;
  /** @default the system's */
  readonly clock?: Clock;
  /** @default us-east-1 */
  readonly region?: string;
  /** Called when a new object is there to be read, before its upload is answered. */
  readonly onObjectCreated?: (event: ObjectCreated) => void;
}

export interface S3Emulator {
  readonly url: string;
  /** Does nothing if the bucket is there. */
  createBucket(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Amazon S3 on 127.0.0.1, for the AWS SDK and the AWS CLI as they are. */
export async function startS3(options: S3Options): Promise<S3Emulator> {
  const underWay = new Set<Promise<void>>();
  // The port comes first: if another emulator has it, that one's data must stay untouched. Nothing is awaited
  // from here to the account, so no request can come in before it is there.
  const listening = await serve((request, response) => {
    const answered = answer(account, request, response).finally(() => underWay.delete(answered));
    underWay.add(answered);
  }, options.port);
  listening.server.keepAliveTimeout = KEEP_ALIVE_MS;
  const clock = options.clock ?? systemClock;
  const buckets = new Buckets(options.dataDir);
  const account: Account = {
    buckets,
    clock,
    region: options.region ?? 'us-east-1',
    onObjectCreated: options.onObjectCreated ?? (() => {}),
  };
  return {
    url: listening.url,
    createBucket: async (name) => buckets.create(name, clock.now()),
    close: async () => {
      await listening.close();
      // An upload that came in whole may still be on its way to the disk.
      await Promise.all(underWay);
      buckets.close();
    },
  };
}

async function answer(account: Account, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = randomBytes(8).toString('hex').toUpperCase();
  response.setHeader('x-amz-request-id', requestId);
  response.setHeader('server', 'AmazonS3');
  try {
    await perform(account, readRequest(message), response);
  } catch (thrown) {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    // Read to its end, or a client that sends first and listens then would wait for ever.
    message.resume();
    const error = thrown instanceof S3Error ? thrown : new S3Error('InternalError', String(thrown));
    response.writeHead(error.status, { 'content-type': 'application/xml', ...error.headers });
    const { code: Code, message: Message, details } = error;
    response.end(document('Error', { Code, Message, ...details, RequestId: requestId }));
  }
}
