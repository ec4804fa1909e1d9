import type { ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import { authorise } from './authorisation.ts';
import type { Buckets } from './buckets.ts';
import { S3Error } from './errors.ts';
import { checksumHeaders, getObject } from './get-object.ts';
import { LIST_PARAMETERS, listObjects } from './list-objects.ts';
import { checkWrite } from './preconditions.ts';
import { putObject } from './put-object.ts';
import { allowParameters, type S3Request } from './s3-request.ts';
import { document, type Element } from './xml.ts';

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

export interface ObjectCreated {
  readonly bucket: string;
  readonly key: string;
  readonly size: number;
  /** Without quotes, as in S3's event notifications. */
  readonly eTag: string;
}

export interface Account {
  readonly buckets: Buckets;
  readonly clock: Clock;
  readonly region: string;
  readonly onObjectCreated: (event: ObjectCreated) => void;
}

export async function perform(account: Account, request: S3Request, response: ServerResponse): Promise<void> {
  authorise(request, account.clock.now());
  const { bucket, key } = request;
  if (bucket === undefined) return onService(account, request, response);
  if (key === undefined) return onBucket(account, bucket, request, response);
  return onObject(account, bucket, key, request, response);
}

function onService({ buckets }: Account, request: S3Request, response: ServerResponse): void {
  if (request.method !== 'GET') throw methodNotAllowed('GET');
  allowParameters(request.query);
  const all = buckets.list().map(({ name, createdAt }) => ({
    Name: name,
    CreationDate: new Date(createdAt).toISOString(),
  }));
  sendXml(response, 'ListAllMyBucketsResult', { Owner: { ID: 'local' }, Buckets: { Bucket: all } });
}

function onBucket(account: Account, name: string, request: S3Request, response: ServerResponse): void {
  switch (request.method) {
    case 'HEAD':
      allowParameters(request.query);
      account.buckets.get(name);
      response.writeHead(200, { 'x-amz-bucket-region': account.region }).end();
      return;
    case 'GET':
      allowParameters(request.query, ...LIST_PARAMETERS);
      if (request.query.get('list-type') !== '2') throw notEmulated('ListObjects, version 1,');
      return sendXml(response, 'ListBucketResult', listObjects(account.buckets.get(name), request.query));
    case 'PUT':
    case 'POST':
    case 'DELETE':
      throw notEmulated(`${request.method} on a bucket`);
    default:
      throw methodNotAllowed('GET, HEAD');
  }
}

async function onObject(
  account: Account,
  bucketName: string,
  key: string,
  request: S3Request,
  response: ServerResponse,
): Promise<void> {
  allowParameters(request.query);
  const bucket = account.buckets.get(bucketName);
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return getObject(bucket, key, request, response);
    case 'PUT': {
      const object = await putObject(bucket, key, request, account.clock.now());
      const { size, eTag } = object;
      account.onObjectCreated({ bucket: bucketName, key, size, eTag });
      response.writeHead(200, { etag: `"${eTag}"`, ...checksumHeaders(object) }).end();
      return;
    }
    case 'DELETE':
      checkWrite(request, bucket.get(key));
      bucket.delete(key);
      response.writeHead(204).end();
      return;
    default:
      throw methodNotAllowed('GET, HEAD, PUT, DELETE');
  }
}

function sendXml(response: ServerResponse, root: string, content: Element): void {
  response.setHeader('content-type', 'application/xml');
  response.end(document(root, content, NAMESPACE));
}

function methodNotAllowed(allow: string): S3Error {
  return new S3Error('MethodNotAllowed', undefined, { headers: { allow } });
}

function notEmulated(what: string): S3Error {
  return new S3Error('NotImplemented', `${what} is not emulated.`);
}
