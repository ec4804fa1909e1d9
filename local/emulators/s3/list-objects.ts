import type { Bucket, StoredObject } from './bucket.ts';
import { S3Error } from './errors.ts';
import type { Element } from './xml.ts';

const LARGEST_PAGE = 1000;

export const LIST_PARAMETERS = [
  'list-type',
  'prefix',
  'delimiter',
  'max-keys',
  'continuation-token',
  'start-after',
  'encoding-type',
  'fetch-owner',
];

/** A key, or all keys that share a part up to the delimiter. */
interface Entry {
  readonly name: string;
  readonly object: StoredObject | undefined;
}

export function listObjects(bucket: Bucket, query: URLSearchParams): Element {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const maxKeys = maxKeysOf(query);
  const token = query.get('continuation-token');
  const entries = entriesOf(bucket, prefix, delimiter, startAfter(query));
  const after = token === null ? '' : nameOf(token);
  const rest = token === null ? entries : entries.filter(({ name }) => inUtf8Order(name, after) > 0);
  const page = rest.slice(0, maxKeys);
  const truncated = maxKeys > 0 && rest.length > page.length;
  const encode = query.get('encoding-type') === 'url' ? percentEncoded : (text: string) => text;
  return {
    Name: bucket.name,
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    StartAfter: query.has('start-after') ? encode(startAfter(query)) : undefined,
    EncodingType: query.get('encoding-type') ?? undefined,
    MaxKeys: maxKeys,
    KeyCount: page.length,
    IsTruncated: truncated,
    ContinuationToken: token ?? undefined,
    NextContinuationToken: truncated ? tokenOf(page.at(-1)?.name ?? '') : undefined,
    Contents: page.flatMap(({ name, object }) => (object ? [contents(encode(name), object)] : [])),
    CommonPrefixes: page.flatMap(({ name, object }) => (object ? [] : [{ Prefix: encode(name) }])),
  };
}

function entriesOf(bucket: Bucket, prefix: string, delimiter: string, after: string): Entry[] {
  const entries = new Map<string, Entry>();
  for (const [key, object] of bucket.entries()) {
    if (!key.startsWith(prefix) || (after !== '' && inUtf8Order(key, after) <= 0)) continue;
    const cut = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    const name = cut < 0 ? key : key.slice(0, cut + delimiter.length);
    entries.set(name, { name, object: cut < 0 ? object : undefined });
  }
  return [...entries.values()].sort((a, b) => inUtf8Order(a.name, b.name));
}

function contents(key: string, { lastModified, eTag, size, checksum }: StoredObject): Element {
  const [algorithm] = Object.keys(checksum).map((name) => name.replace('x-amz-checksum-', '').toUpperCase());
  return {
    Key: key,
    LastModified: new Date(lastModified).toISOString(),
    ETag: `"${eTag}"`,
    ChecksumAlgorithm: algorithm,
    ChecksumType: algorithm === undefined ? undefined : 'FULL_OBJECT',
    Size: size,
    StorageClass: 'STANDARD',
  };
}

function maxKeysOf(query: URLSearchParams): number {
  const given = query.get('max-keys') ?? String(LARGEST_PAGE);
  if (/^\d+$/.test(given)) return Math.min(Number(given), LARGEST_PAGE);
  throw new S3Error('InvalidArgument', 'Provided max-keys not an integer or within integer range');
}

function startAfter(query: URLSearchParams): string {
  return query.get('start-after') ?? '';
}

function tokenOf(name: string): string {
  return Buffer.from(`after:${name}`).toString('base64');
}

function nameOf(token: string): string {
  const [, name] = /^after:(.+)$/s.exec(Buffer.from(token, 'base64').toString()) ?? [];
  if (name === undefined) {
    throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect');
  }
  return name;
}

/** JavaScript compares UTF-16, which puts what lies beyond the first 65,536 characters too early. */
function inUtf8Order(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%2F', '/');
}
