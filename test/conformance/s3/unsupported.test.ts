import {
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  GetObjectTaggingCommand,
  ListObjectsCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { BUCKET, LocalS3, refusal } from './local-s3.ts';

const s3 = LocalS3.forEachTest();

const NOT_IMPLEMENTED = { name: 'NotImplemented', status: 501 };

it('refuses operations that it does not have, and leaves the object alone', async () => {
  await s3.put('a', 'content');
  const target = { Bucket: BUCKET, Key: 'a' };
  const copy = new CopyObjectCommand({ ...target, CopySource: `${BUCKET}/b` });
  expect(await refusal(s3.client.send(copy))).toMatchObject(NOT_IMPLEMENTED);
  expect(await refusal(s3.client.send(new CreateMultipartUploadCommand(target)))).toMatchObject(
    NOT_IMPLEMENTED,
  );
  expect(await refusal(s3.client.send(new GetObjectTaggingCommand(target)))).toMatchObject(NOT_IMPLEMENTED);
  expect(await refusal(s3.put('a', 'changed', { Tagging: 'a=b' }))).toMatchObject(NOT_IMPLEMENTED);
  expect(await s3.text('a')).toBe('content');
});

it('refuses operations on buckets that it does not have', async () => {
  expect(await refusal(s3.client.send(new CreateBucketCommand({ Bucket: 'other' })))).toMatchObject(
    NOT_IMPLEMENTED,
  );
  expect(await refusal(s3.client.send(new DeleteBucketCommand({ Bucket: BUCKET })))).toMatchObject(
    NOT_IMPLEMENTED,
  );
  expect(await refusal(s3.client.send(new ListObjectsCommand({ Bucket: BUCKET })))).toMatchObject(
    NOT_IMPLEMENTED,
  );
});

it.each([
  ['POST', `/${BUCKET}/a`, 'GET, HEAD, PUT, DELETE'],
  ['PATCH', `/${BUCKET}`, 'GET, HEAD'],
  ['DELETE', '/', 'GET'],
])('refuses %s on %s as a method', async (method, path, allow) => {
  const answer = await s3.raw(method, path);
  expect(answer).toMatchObject({ status: 405, code: 'MethodNotAllowed' });
  expect(answer.headers.get('allow')).toBe(allow);
});

it('refuses a path that is not encoded properly', async () => {
  expect(await s3.raw('GET', `/${BUCKET}/%E0%A4%A`)).toMatchObject({ status: 400, code: 'InvalidURI' });
});
