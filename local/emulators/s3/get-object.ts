import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Bucket, StoredObject } from './bucket.ts';
import { parseRange, type ByteRange } from './byte-range.ts';
import { S3Error } from './errors.ts';
import { overriddenHeaders } from './object-headers.ts';
import { checkRead } from './preconditions.ts';
import type { S3Request } from './s3-request.ts';

/** GetObject and HeadObject: the same answer, with and without the content. */
export async function getObject(
  bucket: Bucket,
  key: string,
  request: S3Request,
  response: ServerResponse,
): Promise<void> {
  const object = bucket.get(key);
  if (!object) throw new S3Error('NoSuchKey', undefined, { details: { Key: key } });
  if (checkRead(request, object) === 'not modified') {
    response.writeHead(304, { etag: `"${object.eTag}"`, 'last-modified': httpDate(object) }).end();
    return;
  }
  const range = parseRange(request.header('range'), object.size);
  const length = range ? range.last - range.first + 1 : object.size;
  const headers = { ...headersOf(object, request, range), 'content-length': length };
  if (request.method === 'HEAD' || length === 0) {
    response.writeHead(range ? 206 : 200, headers).end();
    return;
  }
  // Opened before anything is awaited: a moment later the object may have been replaced.
  const bounds = range ? { start: range.first, end: range.last } : {};
  const content = createReadStream('', { fd: bucket.open(object), ...bounds });
  response.writeHead(range ? 206 : 200, headers);
  await pipeline(content, response);
}

function headersOf(
  object: StoredObject,
  { header, query }: S3Request,
  range: ByteRange | undefined,
): Record<string, string> {
  // The checksum is that of the whole object, so a client could not check a part by it.
  const wantsChecksum = header('x-amz-checksum-mode') === 'ENABLED' && range === undefined;
  return {
    ...object.headers,
    ...overriddenHeaders(query),
    ...(wantsChecksum ? checksumHeaders(object) : {}),
    ...(range ? { 'content-range': `bytes ${range.first}-${range.last}/${object.size}` } : {}),
    'accept-ranges': 'bytes',
    etag: `"${object.eTag}"`,
    'last-modified': httpDate(object),
  };
}

export function checksumHeaders({ checksum }: StoredObject): Record<string, string> {
  return Object.keys(checksum).length === 0 ? {} : { ...checksum, 'x-amz-checksum-type': 'FULL_OBJECT' };
}

function httpDate({ lastModified }: StoredObject): string {
  return new Date(lastModified).toUTCString();
}
