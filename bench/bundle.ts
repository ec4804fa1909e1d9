import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { bundleFor, ROOMS, type Room } from '../lib/bundle.ts';
import { rounded, type Progress, type Report } from './report.ts';
import { median } from './statistics.ts';

const STARTS = 5;

/** Every variable that some room asks for; nothing is called while a handler loads. */
const ENVIRONMENT = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  NODE_OPTIONS: '--enable-source-maps',
  LOG_LEVEL: 'INFO',
  STAGE: 'bench',
  EMAIL_TABLE: 'emails',
  TENANT_TABLE: 'tenants',
  BODY_BUCKET: 'bodies',
  KEYRING_SECRET_ARN: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:keyring',
  CONFIGURATION_SET: 'gateway',
  DEFAULT_FROM: 'no-reply@example.com',
  EXPRESS_QUEUE_URL: 'https://sqs.us-east-1.amazonaws.com/000000000000/express.fifo',
  BULK_QUEUE_URL: 'https://sqs.us-east-1.amazonaws.com/000000000000/bulk.fifo',
  BACKOFF_CURVE: 'steps',
  SENT_RETENTION_DAYS: '30',
  SENDER_CONCURRENCY: '30',
};

/** Measures itself, so that the start of Node is not in it: that is Lambda's, whatever the function. */
const LOAD = `
const startedAt = performance.now();
const { handler } = await import(process.argv[1]);
if (typeof handler !== 'function') throw new Error('no handler');
console.log(performance.now() - startedAt);`;

export async function benchBundle(progress: Progress): Promise<Report[]> {
  progress('bundling');
  const rows: (string | number)[][] = [];
  for (const room of ROOMS) {
    progress(`${room}: ${STARTS} cold starts`);
    rows.push(await measure(room));
  }
  const report: Report = {
    name: 'bundle',
    columns: ['room', 'code (kB)', 'gzip (kB)', 'with map, gzip (kB)', 'cold start (ms)', 'slowest (ms)'],
    rows,
    notes: [
      `Cold start: loading the handler in a fresh process, the median of ${STARTS}, after one that warms the disk.`,
      'Not in it: the start of the sandbox and of Node, which every Lambda function pays.',
    ],
  };
  return [report];
}

async function measure(room: Room): Promise<(string | number)[]> {
  const folder = bundleFor(room);
  const code = readFileSync(join(folder, 'index.mjs'));
  const map = readFileSync(join(folder, 'index.mjs.map'));
  const zipped = gzipSync(code).length;
  await load(room, folder);
  const starts: number[] = [];
  for (let i = 0; i < STARTS; i += 1) starts.push(await load(room, folder));
  return [
    room,
    kilobytes(code.length),
    kilobytes(zipped),
    kilobytes(zipped + gzipSync(map).length),
    rounded(median(starts)),
    rounded(Math.max(...starts)),
  ];
}

async function load(room: Room, folder: string): Promise<number> {
  const handler = pathToFileURL(join(folder, 'index.mjs')).href;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', LOAD, handler],
    { env: { ...ENVIRONMENT, POWERTOOLS_SERVICE_NAME: room }, timeout: 10_000 },
  );
  return Number(stdout);
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1000);
}
