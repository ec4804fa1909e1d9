import { GetObjectCommand, HeadObjectCommand, type GetObjectCommandInput } from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, it } from 'vitest';
import { BUCKET, LocalS3, refusal } from './local-s3.ts';

const s3 = LocalS3.forEachTest();

beforeEach(async () => {
  await s3.put('a', '0123456789');
});

async function get(more: Partial<GetObjectCommandInput> = {}) {
  return s3.client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'a', ...more }));
}

describe('a range', () => {
  it.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['bytes=0-0', '0', 'bytes 0-0/10'],
  ])('%s is answered with a part', async (Range, content, ContentRange) => {
    const got = await get({ Range });
    expect(got).toMatchObject({ ContentRange, ContentLength: content.length });
    expect(got.$metadata.httpStatusCode).toBe(206);
    expect(await got.Body!.transformToString()).toBe(content);
  });

  it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('%s cannot be satisfied', async (Range) => {
    expect(await refusal(get({ Range }))).toMatchObject({ name: 'InvalidRange', status: 416 });
  });

  it('that cannot be satisfied is told the size', async () => {
    const answer = await s3.raw('GET', `/${BUCKET}/a`, { headers: { range: 'bytes=10-' } });
    expect(answer.headers.get('content-range')).toBe('bytes */10');
    expect(answer.body).toContain('<ActualObjectSize>10</ActualObjectSize>');
  });

  it.each(['bytes=4-2', 'lines=1-2', 'bytes=0-1,3-4'])('%s is ignored', async (Range) => {
    const got = await get({ Range });
    expect(got.$metadata.httpStatusCode).toBe(200);
    expect(await got.Body!.transformToString()).toBe('0123456789');
  });

  it('applies to HeadObject too', async () => {
    const head = await s3.client.send(
      new HeadObjectCommand({ Bucket: BUCKET, Key: 'a', Range: 'bytes=2-4' }),
    );
    expect(head).toMatchObject({ ContentLength: 3, ContentRange: 'bytes 2-4/10' });
  });
});

describe('a condition', () => {
  it('If-None-Match with the tag answers 304', async () => {
    const { ETag } = await get();
    expect((await refusal(get({ IfNoneMatch: ETag }))).status).toBe(304);
    expect((await get({ IfNoneMatch: '"other"' })).$metadata.httpStatusCode).toBe(200);
  });

  it('If-Match with another tag answers 412', async () => {
    const { ETag } = await get();
    expect((await get({ IfMatch: ETag })).$metadata.httpStatusCode).toBe(200);
    expect(await refusal(get({ IfMatch: '"other"' }))).toMatchObject({
      name: 'PreconditionFailed',
      status: 412,
    });
  });

  it('on the time of change is heard', async () => {
    const { LastModified } = await get();
    const before = new Date(LastModified!.getTime() - 1000);
    expect((await refusal(get({ IfModifiedSince: LastModified }))).status).toBe(304);
    expect((await get({ IfModifiedSince: before })).$metadata.httpStatusCode).toBe(200);
    expect((await refusal(get({ IfUnmodifiedSince: before }))).status).toBe(412);
  });

  it('If-None-Match * lets a write create and never replace', async () => {
    await s3.put('new', 'first', { IfNoneMatch: '*' });
    const call = s3.put('new', 'second', { IfNoneMatch: '*' });
    expect(await refusal(call)).toMatchObject({ name: 'PreconditionFailed', status: 412 });
    expect(await s3.text('new')).toBe('first');
  });

  it('If-Match lets a write replace only what was read', async () => {
    const { ETag } = await get();
    await s3.put('a', 'second', { IfMatch: ETag });
    expect(await refusal(s3.put('a', 'third', { IfMatch: ETag }))).toMatchObject({
      name: 'PreconditionFailed',
    });
    expect(await refusal(s3.put('none', 'x', { IfMatch: ETag }))).toMatchObject({ name: 'NoSuchKey' });
  });
});

describe('a download under way', () => {
  it('goes on when the object is replaced', async () => {
    const content = Buffer.alloc(8_000_000, 'old ');
    await s3.put('large', content);
    const { Body } = await get({ Key: 'large' });
    await s3.put('large', 'new');
    expect(content.equals(await Body!.transformToByteArray())).toBe(true);
    expect(await s3.text('large')).toBe('new');
  });
});
