import type { IncomingMessage } from 'node:http';
import { S3Error } from './errors.ts';

export interface S3Request {
  readonly method: string;
  /** Nothing for the service itself. */
  readonly bucket: string | undefined;
  /** Nothing for the bucket itself. */
  readonly key: string | undefined;
  readonly query: URLSearchParams;
  readonly message: IncomingMessage;
  header(name: string): string | undefined;
}

/**
 * Path style only: for an endpoint that is an IP address, SDKs and the CLI never put the bucket in the host.
 * The path is taken as it came, since `new URL` would resolve the `..` that a key may contain.
 */
export function readRequest(message: IncomingMessage): S3Request {
  const [, path = '', search = ''] = /^\/([^?]*)\??(.*)$/s.exec(message.url ?? '') ?? [];
  const [, bucket = '', key = ''] = /^([^/]*)\/?(.*)$/s.exec(path) ?? [];
  return {
    method: message.method ?? '',
    bucket: decode(bucket),
    key: decode(key),
    query: new URLSearchParams(search),
    message,
    header: (name) => {
      const value = message.headers[name];
      return typeof value === 'object' ? value.join(',') : value;
    },
  };
}

function decode(part: string): string | undefined {
  try {
    return part === '' ? undefined : decodeURIComponent(part);
  } catch {
    throw new S3Error('InvalidURI');
  }
}

/** Who signed, and what SDKs add: parameters that name no sub-resource. */
const NEUTRAL_PARAMETER = /^(x-amz-.*|x-id|awsaccesskeyid|signature|expires|response-.*)$/i;

/** A parameter such as `acl` or `uploads` makes it another operation, which must not be taken for this one. */
export function allowParameters(query: URLSearchParams, ...allowed: string[]): void {
  for (const name of query.keys()) {
    if (!allowed.includes(name) && !NEUTRAL_PARAMETER.test(name)) {
      throw new S3Error('NotImplemented', `The parameter ${name} is not emulated for this operation.`);
    }
  }
}
