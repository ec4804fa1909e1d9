import { S3Error } from './errors.ts';
import type { StoredObject } from './bucket.ts';
import type { S3Request } from './s3-request.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-reads.html */
export function checkRead({ header }: S3Request, object: StoredObject): 'modified' | 'not modified' {
  const ifMatch = header('if-match');
  const unmodifiedSince = Date.parse(header('if-unmodified-since') ?? '');
  // The entity tag decides where both are given.
  const failed = ifMatch === undefined ? object.lastModified > unmodifiedSince : !matches(ifMatch, object);
  if (failed) throw new S3Error('PreconditionFailed');
  const ifNoneMatch = header('if-none-match');
  const modifiedSince = Date.parse(header('if-modified-since') ?? '');
  const same =
    ifNoneMatch === undefined ? object.lastModified <= modifiedSince : matches(ifNoneMatch, object);
  return same ? 'not modified' : 'modified';
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html */
export function checkWrite({ header }: S3Request, present: StoredObject | undefined): void {
  const ifMatch = header('if-match');
  if (ifMatch !== undefined && present === undefined) throw new S3Error('NoSuchKey');
  if (ifMatch !== undefined && present !== undefined && !matches(ifMatch, present)) {
    throw new S3Error('PreconditionFailed');
  }
  const ifNoneMatch = header('if-none-match');
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*') {
    throw new S3Error('NotImplemented', undefined, { details: { Header: 'If-None-Match' } });
  }
  if (ifNoneMatch === '*' && present !== undefined) throw new S3Error('PreconditionFailed');
}

function matches(header: string, { eTag }: StoredObject): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''));
  return tags.includes('*') || tags.includes(eTag);
}
