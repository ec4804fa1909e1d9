import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { decodeAwsChunked } from './aws-chunked.ts';
import type { Bucket, StoredObject } from './bucket.ts';
import { UploadChecksum } from './checksums.ts';
import { S3Error } from './errors.ts';
import { storedHeaders } from './object-headers.ts';
import { checkWrite } from './preconditions.ts';
import type { S3Request } from './s3-request.ts';

const LARGEST_UPLOAD = 5 * 1024 ** 3;
const LONGEST_KEY = 1024;

/** The object is there, under its key, when this returns; if it throws, nothing has changed. */
export async function putObject(
  bucket: Bucket,
  key: string,
  request: S3Request,
  now: number,
): Promise<StoredObject> {
  if (Buffer.byteLength(key) > LONGEST_KEY) throw new S3Error('KeyTooLongError');
  const headers = storedHeaders(request);
  const file = bucket.newFile();
  try {
    const content = await receive(bucket.pathOf(file), request);
    checkWrite(request, bucket.get(key));
    const object = { file, ...content, lastModified: Math.floor(now / 1000) * 1000, headers };
    bucket.put(key, object);
    return object;
  } catch (error) {
    bucket.removeFile(file);
    throw error;
  }
}

async function receive(
  path: string,
  request: S3Request,
): Promise<Pick<StoredObject, 'size' | 'eTag' | 'checksum'>> {
  const { header } = request;
  const announcedSize = announcedSizeOf(request);
  const signedSha256 = /^[0-9a-f]{64}$/.exec(header('x-amz-content-sha256') ?? '')?.[0];
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  const checksum = UploadChecksum.of(request);
  const trailers = new Map<string, string>();
  let size = 0;
  await writeFile(path, measured());
  if (size !== announcedSize) throw new S3Error('IncompleteBody');
  if (signedSha256 !== undefined && sha256.digest('hex') !== signedSha256) {
    throw new S3Error('XAmzContentSHA256Mismatch');
  }
  const eTag = md5.digest('hex');
  verifyContentMd5(header('content-md5'), eTag);
  return { size, eTag, checksum: checksum?.verify(trailers) ?? {} };

  async function* measured(): AsyncGenerator<Buffer> {
    for await (const chunk of contentOf(request, trailers)) {
      size += chunk.length;
      if (size > announcedSize) throw new S3Error('IncompleteBody');
      md5.update(chunk);
      if (signedSha256 !== undefined) sha256.update(chunk);
      checksum?.update(chunk);
      yield chunk;
    }
  }
}

function contentOf(request: S3Request, trailers: Map<string, string>): AsyncIterable<Buffer> {
  // Left open when refused half-way, or the client would see a broken connection in place of the refusal.
  const body = request.message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  return isAwsChunked(request) ? decodeAwsChunked(body, trailers) : body;
}

function announcedSizeOf(request: S3Request): number {
  const { header } = request;
  if (!isAwsChunked(request) && header('transfer-encoding') !== undefined) {
    throw new S3Error('NotImplemented', undefined, { details: { Header: 'Transfer-Encoding' } });
  }
  const announced = header(isAwsChunked(request) ? 'x-amz-decoded-content-length' : 'content-length');
  if (announced === undefined || !/^\d+$/.test(announced)) throw new S3Error('MissingContentLength');
  if (Number(announced) > LARGEST_UPLOAD) {
    throw new S3Error('EntityTooLarge', undefined, { details: { MaxSizeAllowed: String(LARGEST_UPLOAD) } });
  }
  return Number(announced);
}

function isAwsChunked({ header }: S3Request): boolean {
  const streaming = header('x-amz-content-sha256')?.startsWith('STREAMING-') ?? false;
  return streaming || (header('content-encoding') ?? '').split(/\s*,\s*/).includes('aws-chunked');
}

function verifyContentMd5(given: string | undefined, eTag: string): void {
  if (given === undefined) return;
  const md5 = Buffer.from(given, 'base64');
  if (md5.length !== 16) throw new S3Error('InvalidDigest');
  if (md5.toString('hex') !== eTag) throw new S3Error('BadDigest');
}
