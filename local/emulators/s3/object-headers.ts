import { S3Error } from './errors.ts';
import type { S3Request } from './s3-request.ts';

const USER_METADATA = 'x-amz-meta-';
const LARGEST_USER_METADATA = 2048;

const KEPT = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];

/** Headers that ask for what is not emulated: better refused than forgotten. */
const UNSUPPORTED =
  /^x-amz-(copy-source|tagging|acl|grant-|object-lock-|website-redirect-|write-offset|server-side-encryption-customer-)/;

/** What is kept of an upload's headers, to be given back with the object. */
export function storedHeaders({ message, query, header }: S3Request): Record<string, string> {
  const unsupported = Object.keys(message.headers).find((name) => UNSUPPORTED.test(name));
  if (unsupported !== undefined) {
    throw new S3Error('NotImplemented', undefined, { details: { Header: unsupported } });
  }
  const stored: Record<string, string> = { 'content-type': 'binary/octet-stream' };
  for (const name of KEPT) {
    const value = name === 'content-encoding' ? ownEncoding(header(name)) : header(name);
    if (value) stored[name] = value;
  }
  return { ...stored, ...userMetadata([...query, ...Object.keys(message.headers).map(withValue)]) };

  function withValue(name: string): [string, string] {
    return [name, header(name) ?? ''];
  }
}

/** A presigned URL carries the metadata as parameters. */
function userMetadata(entries: [string, string][]): Record<string, string> {
  const metadata = entries
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => name.startsWith(USER_METADATA));
  const size = metadata.reduce(
    (sum, [name, value]) => sum + name.length - USER_METADATA.length + value.length,
    0,
  );
  if (size > LARGEST_USER_METADATA) throw new S3Error('MetadataTooLarge');
  return Object.fromEntries(metadata);
}

/** `aws-chunked` is how the body travels, not what it is. */
function ownEncoding(value: string | undefined): string | undefined {
  const encodings = (value ?? '').split(',').map((each) => each.trim());
  return encodings.filter((each) => each !== 'aws-chunked').join(',');
}

/** What a GET may ask to be answered in place of what was stored, for instance the name to download as. */
export function overriddenHeaders(query: URLSearchParams): Record<string, string> {
  const overrides = KEPT.map((name): [string, string | null] => [name, query.get(`response-${name}`)]);
  return Object.fromEntries(overrides.filter((each): each is [string, string] => each[1] !== null));
}
