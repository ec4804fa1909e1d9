import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  type ListObjectsV2CommandInput,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach } from 'vitest';
import { ManualClock } from '../../../local/clock.ts';
import type { ObjectCreated } from '../../../local/emulators/s3/operations.ts';
import { startS3, type S3Emulator } from '../../../local/emulators/s3/server.ts';

export const BUCKET = 'bodies';

export interface Refusal {
  readonly name: string;
  readonly status: number | undefined;
  readonly message: string;
}

/** The emulator and the unmodified SDK client, fresh for each test, on a clock that the test moves. */
export class LocalS3 {
  clock = new ManualClock();
  created: ObjectCreated[] = [];
  client!: S3Client;
  emulator!: S3Emulator;
  dataDir!: string;

  static forEachTest(): LocalS3 {
    const s3 = new LocalS3();
    beforeEach(async () => {
      s3.clock = new ManualClock();
      s3.created = [];
      s3.dataDir = await mkdtemp(join(tmpdir(), 's3-'));
      await s3.start();
      await s3.emulator.createBucket(BUCKET);
    });
    afterEach(async () => {
      await s3.stop();
      await rm(s3.dataDir, { recursive: true });
    });
    return s3;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async put(
    Key: string,
    Body: NonNullable<PutObjectCommandInput['Body']>,
    more: Partial<PutObjectCommandInput> = {},
  ) {
    return this.client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body, ...more }));
  }

  async text(Key: string): Promise<string> {
    const { Body } = await this.client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
    return Body!.transformToString();
  }

  async list(more: Partial<ListObjectsV2CommandInput> = {}) {
    return this.client.send(new ListObjectsV2Command({ Bucket: BUCKET, ...more }));
  }

  async keys(more: Partial<ListObjectsV2CommandInput> = {}): Promise<(string | undefined)[]> {
    return ((await this.list(more)).Contents ?? []).map(({ Key }) => Key);
  }

  /** A request as no SDK would send it, with what counts as a signature here. */
  async raw(method: string, path: string, init: { headers?: Record<string, string>; body?: string } = {}) {
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=local', ...init.headers };
    const response = await fetch(this.emulator.url + path, { method, ...init, headers });
    const body = await response.text();
    return { status: response.status, code: elementOf(body, 'Code'), body, headers: response.headers };
  }

  async start(): Promise<void> {
    this.emulator = await startS3({
      dataDir: this.dataDir,
      clock: this.clock,
      onObjectCreated: (event) => this.created.push(event),
    });
    this.client = this.newClient();
  }

  newClient(): S3Client {
    return new S3Client({
      endpoint: this.emulator.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    });
  }

  async stop(): Promise<void> {
    this.client.destroy();
    await this.emulator.close();
  }
}

/** The error that the SDK makes of the answer. */
export async function refusal(call: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await call.then(
    () => new Error('was not refused'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof S3ServiceException)) throw error;
  return { name: error.name, status: error.$metadata.httpStatusCode, message: error.message };
}

export function elementOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}
