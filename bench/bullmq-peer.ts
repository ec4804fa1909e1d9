import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { spawnGuarded } from '../local/child-process.ts';
import { systemClock } from '../local/clock.ts';
import { startSes } from '../local/emulators/ses/server.ts';
import { readBody, serve } from '../local/http-server.ts';
import { clientConfig } from '../local/template/cloudformation.ts';
import { until } from '../test/integration/gateway.ts';
import type { Line } from './line.ts';

/** The part of BullMQ that is used here: it is no dependency of ours. */
interface BullMq {
  Queue: new (
    name: string,
    options: object,
  ) => {
    add(name: string, data: object, options: object): Promise<unknown>;
    close(): Promise<void>;
  };
  Worker: new (
    name: string,
    work: (job: { id?: string; data: Mail }) => Promise<void>,
    options: object,
  ) => { on(event: 'error', listener: () => void): void; close(force?: boolean): Promise<void> };
}

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly html: string;
}

export interface Peer extends Line {
  close(): Promise<void>;
}

const QUEUE = 'mails';
/** As many sends at once as the runner's pollers could have under way. */
const CONCURRENCY = 80;
const PATIENCE_MS = 30_000;

/** The stack that the gateway's documents began with, if it is on this machine. */
export async function startPeer(): Promise<{ peer?: Peer; leftOut?: string }> {
  const redis = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'redis-server'))
    .find((path) => existsSync(path));
  if (redis === undefined) return { leftOut: 'redis-server is not installed' };
  let module: string;
  try {
    module = createRequire(import.meta.url).resolve('bullmq');
    // Since version 6 it comes without a client for Redis, and says so only when it is too late.
    createRequire(module).resolve('ioredis');
  } catch {
    return { leftOut: 'the packages bullmq and ioredis are not installed' };
  }
  return { peer: await start(redis, (await import(pathToFileURL(module).href)) as BullMq) };
}

async function start(redisServer: string, { Queue, Worker }: BullMq): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'email-gateway-peer-'));
  const port = await freePort();
  const redis = spawnGuarded(redisServer, redisArguments(port, folder));
  redis.process.stderr?.resume();
  const ses = await startSes({
    dataDir: folder,
    clock: systemClock,
    sendQuota: { max24HourSend: 1_000_000, maxSendRate: 3_000 },
    onEvent: () => {},
  });
  const client = new SESv2Client({ ...clientConfig(ses.url), maxAttempts: 1 });
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
  const queue = new Queue(QUEUE, { connection });
  const sent = new Map<string, number>();
  const worker = new Worker(
    QUEUE,
    async ({ id = '', data }) => {
      await client.send(sendCommand(data));
      sent.set(id, Date.now());
    },
    { connection, concurrency: CONCURRENCY },
  );
  worker.on('error', () => {});
  const front = await serve((request, response) => {
    void readBody(request).then(async (body) => {
      const id = randomUUID();
      await queue.add('send', JSON.parse(body.toString()) as Mail, { jobId: id, attempts: 5 });
      response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ id }));
    });
  });
  return {
    accept: async (i) => {
      const mail: Mail = { to: `line-${i % 200}@example.com`, subject: 'Hello', html: '<p>Hello</p>' };
      const response = await fetch(front.url, { method: 'POST', body: JSON.stringify(mail) });
      return ((await response.json()) as { id: string }).id;
    },
    sentTimes: async (ids) => {
      await until(
        () => ids.filter((id) => !sent.has(id)).length,
        (missing) => missing === 0,
        PATIENCE_MS,
      );
      return ids.map((id) => sent.get(id) ?? 0);
    },
    close: async () => {
      await front.close();
      await worker.close(true);
      await queue.close();
      await ses.close();
      await redis.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Durable in the way that Redis offers: on disk within a second. */
function redisArguments(port: number, folder: string): string[] {
  return [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--appendonly',
    'yes',
    '--save',
    '',
  ];
}

function sendCommand({ to, subject, html }: Mail): SendEmailCommand {
  return new SendEmailCommand({
    FromEmailAddress: 'no-reply@example.com',
    Destination: { ToAddresses: [to] },
    Content: { Simple: { Subject: { Data: subject }, Body: { Html: { Data: html } } } },
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
