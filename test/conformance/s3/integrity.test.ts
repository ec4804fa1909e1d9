import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { HeadObjectCommand, NoSuchKey, type PutObjectCommandInput } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { BUCKET, LocalS3, refusal } from './local-s3.ts';

const s3 = LocalS3.forEachTest();

/** The check values that the catalogues of CRCs give for "123456789". */
const CHECKSUMS: [string, Partial<PutObjectCommandInput>][] = [
  ['CRC32', { ChecksumCRC32: hex('cbf43926') }],
  ['CRC32C', { ChecksumCRC32C: hex('e3069283') }],
  ['CRC64NVME', { ChecksumCRC64NVME: hex('ae8b14860a799888') }],
  ['SHA1', { ChecksumSHA1: createHash('sha1').update('123456789').digest('base64') }],
  ['SHA256', { ChecksumSHA256: createHash('sha256').update('123456789').digest('base64') }],
];

function hex(text: string): string {
  return Buffer.from(text, 'hex').toString('base64');
}

function chunked(body: string, more: Record<string, string> = {}) {
  const headers = {
    'content-encoding': 'aws-chunked',
    'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'x-amz-decoded-content-length': '7',
    ...more,
  };
  return s3.raw('PUT', `/${BUCKET}/a`, { headers, body });
}

describe('a checksum', () => {
  it.each(CHECKSUMS)('%s is verified, answered and kept', async (_name, checksum) => {
    expect(await s3.put('a', '123456789', checksum)).toMatchObject(checksum);
    const head = new HeadObjectCommand({ Bucket: BUCKET, Key: 'a', ChecksumMode: 'ENABLED' });
    expect(await s3.client.send(head)).toMatchObject({ ...checksum, ChecksumType: 'FULL_OBJECT' });
  });

  it.each(CHECKSUMS)('%s of something else is refused, and nothing is stored', async (name, checksum) => {
    expect(await refusal(s3.put('a', '12345678!', checksum))).toEqual({
      name: 'BadDigest',
      status: 400,
      message: `The ${name} you specified did not match the calculated checksum.`,
    });
    await expect(s3.text('a')).rejects.toBeInstanceOf(NoSuchKey);
  });

  it('of the wrong length is invalid', async () => {
    const call = s3.put('a', 'x', { ChecksumCRC32: hex('cbf439') });
    expect(await refusal(call)).toMatchObject({ name: 'InvalidRequest', status: 400 });
  });

  it.each(['CRC32', 'SHA256'] as const)('%s may follow a streamed body', async (ChecksumAlgorithm) => {
    const body = Readable.from([Buffer.from('1234'), Buffer.from('56789')]);
    const [, expected] = CHECKSUMS.find(([name]) => name === ChecksumAlgorithm)!;
    expect(await s3.put('a', body, { ContentLength: 9, ChecksumAlgorithm })).toMatchObject(expected);
    expect(await s3.text('a')).toBe('123456789');
  });

  it('that follows the body and is wrong is refused', async () => {
    const trailer = { 'x-amz-trailer': 'x-amz-checksum-crc32' };
    const body = '7\r\ncontent\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n';
    expect(await chunked(body, trailer)).toMatchObject({ status: 400, code: 'BadDigest' });
    await expect(s3.text('a')).rejects.toBeInstanceOf(NoSuchKey);
  });

  it('that was announced and does not follow is refused', async () => {
    const trailer = { 'x-amz-trailer': 'x-amz-checksum-crc32' };
    const answer = await chunked('7\r\ncontent\r\n0\r\n\r\n', trailer);
    expect(answer).toMatchObject({ status: 400, code: 'MalformedTrailerError' });
  });
});

describe('Content-MD5', () => {
  it('is verified', async () => {
    const ContentMD5 = createHash('md5').update('content').digest('base64');
    await s3.put('a', 'content', { ContentMD5 });
    expect(await refusal(s3.put('a', 'changed', { ContentMD5 }))).toMatchObject({
      name: 'BadDigest',
      status: 400,
    });
    expect(await s3.text('a')).toBe('content');
  });

  it('is invalid if it is none', async () => {
    const call = s3.put('a', 'content', { ContentMD5: 'bm90IGFuIG1kNQ==' });
    expect(await refusal(call)).toMatchObject({ name: 'InvalidDigest', status: 400 });
  });
});

describe('the body', () => {
  it('is what was signed', async () => {
    const headers = { 'x-amz-content-sha256': createHash('sha256').update('content').digest('hex') };
    const put = (body: string) => s3.raw('PUT', `/${BUCKET}/a`, { headers, body });
    expect((await put('content')).status).toBe(200);
    expect(await put('changed')).toMatchObject({ status: 400, code: 'XAmzContentSHA256Mismatch' });
  });

  it('may come in signed chunks', async () => {
    const signature = 'chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648';
    const body = `4;${signature}\r\ncont\r\n3;${signature}\r\nent\r\n0;${signature}\r\n\r\n`;
    const answer = await chunked(body, { 'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' });
    expect(answer.status).toBe(200);
    expect(await s3.text('a')).toBe('content');
  });

  it.each([
    ['without its last chunk', '7\r\ncontent\r\n'],
    ['with a chunk cut short', '7\r\ncont'],
    ['with more in a chunk than its size', '7\r\ncontents\r\n0\r\n\r\n'],
    ['with a size that is none', 'x\r\ncontent\r\n0\r\n\r\n'],
    ['shorter than announced', '3\r\ncon\r\n0\r\n\r\n'],
    ['longer than announced', '8\r\ncontents\r\n0\r\n\r\n'],
    ['of no chunks at all, and long', 'x'.repeat(5_000_000)],
  ])('%s is refused', async (_what, body) => {
    expect(await chunked(body)).toMatchObject({ status: 400, code: 'IncompleteBody' });
    await expect(s3.text('a')).rejects.toBeInstanceOf(NoSuchKey);
  });

  it('must tell its length', async () => {
    const answer = await exchange([`PUT /${BUCKET}/a HTTP/1.1`, 'connection: close']);
    expect(answer).toContain('HTTP/1.1 411 ');
    expect(answer).toContain('<Code>MissingContentLength</Code>');
  });

  it.each([
    ['not in chunks', 'content-encoding: aws-chunked', 'IncompleteBody'],
    ['of an operation that there is not', 'x-amz-tagging: a=b', 'NotImplemented'],
  ])('%s is refused without breaking the connection', async (_what, header, code) => {
    const size = 5_000_000;
    const lengths = [`content-length: ${size}`, `x-amz-decoded-content-length: ${size}`];
    const upload = [`PUT /${BUCKET}/a HTTP/1.1`, header, ...lengths];
    const next = ['HEAD / HTTP/1.1', 'connection: close'];
    const answer = await exchange(upload, 'x'.repeat(size), next);
    expect(answer).toContain(`<Code>${code}</Code>`);
    expect(answer).toContain('HTTP/1.1 405 ');
  });
});

/** Sends requests on one connection, without waiting for answers, and returns all that came back. */
async function exchange(...parts: (string | string[])[]): Promise<string> {
  const socket = connect(Number(new URL(s3.emulator.url).port), '127.0.0.1');
  for (const part of parts) {
    const head = (lines: string[]) => [...lines, 'host: x', 'authorization: x', '', ''].join('\r\n');
    socket.write(typeof part === 'string' ? part : head(part));
  }
  return (await socket.toArray()).join('');
}
