import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DeleteObjectCommand, HeadObjectCommand, NoSuchKey } from '@aws-sdk/client-s3';
import { describe, expect, it, vi } from 'vitest';
import { BUCKET, LocalS3 } from './local-s3.ts';

const s3 = LocalS3.forEachTest();

/** Starts an upload of 2 MB and leaves it at half of that. */
function halfAnUpload(url: string, key: string) {
  const upload = request(`${url}/${BUCKET}/${key}`, {
    method: 'PUT',
    headers: { authorization: 'x', 'content-length': 2_000_000 },
  });
  upload.on('error', () => {});
  upload.write(Buffer.alloc(1_000_000));
  return upload;
}

async function contentFiles(dataDir: string): Promise<{ path: string; size: number }[]> {
  const directory = join(dataDir, 'buckets', BUCKET, 'content');
  const paths = (await readdir(directory)).map((name) => join(directory, name));
  return Promise.all(paths.map(async (path) => ({ path, size: (await stat(path)).size })));
}

async function untilHalfIsWritten(dataDir: string): Promise<void> {
  await vi.waitUntil(async () => (await contentFiles(dataDir)).some(({ size }) => size >= 500_000), {
    timeout: 20_000,
  });
}

async function startProcess(dataDir: string) {
  const script = fileURLToPath(new URL('s3-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir, BUCKET], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: url.toString() };
}

describe('over a restart', () => {
  it('objects, metadata and deletions are kept', async () => {
    await s3.put('a', 'content', { ContentType: 'text/csv', Metadata: { company: 'demo' } });
    await s3.put('gone', 'content');
    await s3.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'gone' }));
    await s3.restart();
    expect(await s3.keys()).toEqual(['a']);
    expect(await s3.text('a')).toBe('content');
    const head = await s3.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    expect(head).toMatchObject({ ContentType: 'text/csv', Metadata: { company: 'demo' } });
  });
});

describe('the disk', () => {
  it('is given back by what is replaced or deleted', async () => {
    await s3.put('a', 'old');
    await s3.put('a', 'newer');
    expect((await contentFiles(s3.dataDir)).map(({ size }) => size)).toEqual([5]);
    await s3.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    expect(await contentFiles(s3.dataDir)).toEqual([]);
  });
});

describe('an upload that breaks off', () => {
  it('leaves the old object, and no file behind', async () => {
    await s3.put('a', 'old');
    const upload = halfAnUpload(s3.emulator.url, 'a');
    await untilHalfIsWritten(s3.dataDir);
    expect(await s3.text('a')).toBe('old');
    upload.destroy();
    await vi.waitUntil(async () => (await contentFiles(s3.dataDir)).length === 1, { timeout: 20_000 });
    expect(await s3.text('a')).toBe('old');
    expect(s3.created).toHaveLength(1);
  });
});

describe('kill -9 during an upload', () => {
  it('leaves the old object, and no file behind', async () => {
    await s3.put('a', 'old');
    await s3.stop();
    const { child, url } = await startProcess(s3.dataDir);
    const exited = once(child, 'exit');
    try {
      halfAnUpload(url, 'a');
      halfAnUpload(url, 'new');
      await untilHalfIsWritten(s3.dataDir);
    } finally {
      child.kill('SIGKILL');
    }
    await exited;
    await s3.start();
    expect(await s3.text('a')).toBe('old');
    await expect(s3.text('new')).rejects.toBeInstanceOf(NoSuchKey);
    const files = await contentFiles(s3.dataDir);
    expect(await Promise.all(files.map(({ path }) => readFile(path, 'utf8')))).toEqual(['old']);
  });
});
