import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  NoSuchKey,
  NotFound,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BUCKET, LocalS3, refusal } from './local-s3.ts';

const s3 = LocalS3.forEachTest();

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the client of a Lambda', () => {
  it('finds the bucket with nothing but AWS_ENDPOINT_URL_S3 set, by its path', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_S3', s3.emulator.url);
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
    const client = new S3Client({});
    const asked: { hostname: string; path: string }[] = [];
    client.middlewareStack.add(
      (next) => (args) => {
        asked.push(args.request as (typeof asked)[number]);
        return next(args);
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    await s3.put('a', 'content');
    const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    expect(await Body!.transformToString()).toBe('content');
    expect(asked).toEqual([expect.objectContaining({ hostname: '127.0.0.1', path: `/${BUCKET}/a` })]);
    client.destroy();
  });
});

describe('PutObject and GetObject', () => {
  it('answers the MD5 as entity tag, in quotes', async () => {
    const { ETag } = await s3.put('a', 'content');
    expect(ETag).toBe('"9a0364b9e99bb480dd25e1f0284c8555"');
  });

  it('gives back the content with what was stored beside it', async () => {
    s3.clock.advance(60_000);
    await s3.put('a', 'content', {
      ContentType: 'text/csv',
      CacheControl: 'no-store',
      ContentDisposition: 'attachment; filename="a.csv"',
      ContentEncoding: 'gzip',
      Metadata: { company: 'demo', 'two-words': 'x y' },
    });
    const got = await s3.client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    expect(await got.Body!.transformToString()).toBe('content');
    expect(got).toMatchObject({
      ContentType: 'text/csv',
      CacheControl: 'no-store',
      ContentDisposition: 'attachment; filename="a.csv"',
      ContentEncoding: 'gzip',
      ContentLength: 7,
      AcceptRanges: 'bytes',
      ETag: '"9a0364b9e99bb480dd25e1f0284c8555"',
      Metadata: { company: 'demo', 'two-words': 'x y' },
    });
    expect(got.LastModified!.getTime()).toBe(Math.floor(s3.clock.now() / 1000) * 1000);
  });

  it('replaces an object together with its metadata', async () => {
    await s3.put('a', 'old', { Metadata: { old: 'yes' } });
    await s3.put('a', 'new', { Metadata: { new: 'yes' } });
    const got = await s3.client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    expect([await got.Body!.transformToString(), got.Metadata]).toEqual(['new', { new: 'yes' }]);
  });

  it('stores an empty object', async () => {
    const { ETag } = await s3.put('empty', '');
    expect(ETag).toBe('"d41d8cd98f00b204e9800998ecf8427e"');
    expect(await s3.text('empty')).toBe('');
  });

  it('decodes a streamed upload of many chunks, which aws-chunked leaves no trace of', async () => {
    const piece = Buffer.from(Array.from({ length: 100_003 }, (_, at) => (at * 31) % 251));
    const pieces = Array.from({ length: 200 }, () => piece);
    const ContentLength = piece.length * pieces.length;
    await s3.put('large', Readable.from(pieces), { ContentLength });
    const got = await s3.client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'large' }));
    const hash = createHash('md5').update(await got.Body!.transformToByteArray());
    const expected = createHash('md5').update(Buffer.concat(pieces)).digest('hex');
    expect(hash.digest('hex')).toBe(expected);
    expect(got.ETag).toBe(`"${expected}"`);
    expect([got.ContentLength, got.ContentEncoding]).toEqual([ContentLength, undefined]);
  });

  it.each([
    'a/b/c',
    'a//b',
    '/leading',
    'trailing/',
    '../../../../etc/passwd',
    'a/../b',
    '..',
    'größe/mail ✉ 😀.html',
    'plus+and space&amp=?#%25',
    '<key>"quoted"</key>',
  ])('keeps the key %s as it is', async (key) => {
    await s3.put(key, `content of ${key}`);
    expect(await s3.text(key)).toBe(`content of ${key}`);
    expect(await s3.keys()).toEqual([key]);
  });

  it('throws NoSuchKey for an object that is not there', async () => {
    await expect(s3.text('missing')).rejects.toBeInstanceOf(NoSuchKey);
    expect(await refusal(s3.text('missing'))).toEqual({
      name: 'NoSuchKey',
      status: 404,
      message: 'The specified key does not exist.',
    });
  });

  it('throws NoSuchBucket for a bucket that is not there', async () => {
    const expected = { name: 'NoSuchBucket', status: 404 };
    expect(await refusal(s3.put('a', 'x', { Bucket: 'missing' }))).toMatchObject(expected);
    expect(await refusal(s3.list({ Bucket: 'missing' }))).toMatchObject(expected);
  });

  it('refuses a key of more than 1024 bytes', async () => {
    await s3.put('ä'.repeat(512), 'x');
    expect(await refusal(s3.put('ä'.repeat(513), 'x'))).toMatchObject({
      name: 'KeyTooLongError',
      status: 400,
    });
  });

  it('refuses more than 2 KB of user metadata', async () => {
    await s3.put('a', 'x', { Metadata: { k: 'v'.repeat(2047) } });
    const call = s3.put('a', 'x', { Metadata: { k: 'v'.repeat(2048) } });
    expect(await refusal(call)).toMatchObject({ name: 'MetadataTooLarge', status: 400 });
  });

  it('tells of each new object once it can be read', async () => {
    await s3.put('a/b', 'content');
    expect(s3.created).toEqual([
      { bucket: BUCKET, key: 'a/b', size: 7, eTag: '9a0364b9e99bb480dd25e1f0284c8555' },
    ]);
  });
});

describe('HeadObject', () => {
  it('answers like GetObject, without the content', async () => {
    await s3.put('a', 'content', { ContentType: 'text/csv', Metadata: { company: 'demo' } });
    const head = await s3.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    expect(head).toMatchObject({
      ContentLength: 7,
      ContentType: 'text/csv',
      ETag: '"9a0364b9e99bb480dd25e1f0284c8555"',
      Metadata: { company: 'demo' },
    });
  });

  it('throws NotFound, having no body to tell more', async () => {
    const call = s3.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'missing' }));
    await expect(call).rejects.toBeInstanceOf(NotFound);
  });
});

describe('DeleteObject', () => {
  it('answers 204, whether or not the object was there', async () => {
    await s3.put('a', 'content');
    const remove = new DeleteObjectCommand({ Bucket: BUCKET, Key: 'a' });
    expect((await s3.client.send(remove)).$metadata.httpStatusCode).toBe(204);
    await expect(s3.text('a')).rejects.toBeInstanceOf(NoSuchKey);
    expect((await s3.client.send(remove)).$metadata.httpStatusCode).toBe(204);
  });
});

describe('buckets', () => {
  it('are found by HeadBucket, or not', async () => {
    const head = (Bucket: string) => s3.client.send(new HeadBucketCommand({ Bucket }));
    expect((await head(BUCKET)).BucketRegion).toBe('us-east-1');
    await expect(head('missing')).rejects.toBeInstanceOf(NotFound);
  });

  it('are listed by name; creating one again changes nothing', async () => {
    await s3.put('a', 'content');
    await s3.emulator.createBucket('another');
    s3.clock.advance(60_000);
    await s3.emulator.createBucket(BUCKET);
    const { Buckets } = await s3.client.send(new ListBucketsCommand({}));
    expect(Buckets!.map(({ Name }) => Name)).toEqual(['another', BUCKET]);
    expect(Buckets![1]!.CreationDate!.getTime()).toBe(s3.clock.now() - 60_000);
    expect(await s3.text('a')).toBe('content');
  });

  it.each(['../escape', 'Upper', 'ab', 'two..dots', ''])('are never called %j', async (name) => {
    await expect(s3.emulator.createBucket(name)).rejects.toThrow('not valid');
  });
});
