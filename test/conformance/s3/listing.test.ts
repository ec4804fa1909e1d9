import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { BUCKET, LocalS3, refusal } from './local-s3.ts';

const s3 = LocalS3.forEachTest();

async function putAll(...keys: string[]): Promise<void> {
  for (const key of keys) await s3.put(key, key);
}

describe('ListObjectsV2', () => {
  it('tells size, tag and time of each object', async () => {
    const { ETag } = await s3.put('a', 'content');
    const { Contents, KeyCount, IsTruncated, Name } = await s3.list();
    expect({ KeyCount, IsTruncated, Name }).toEqual({ KeyCount: 1, IsTruncated: false, Name: BUCKET });
    const LastModified = new Date(Math.floor(s3.clock.now() / 1000) * 1000);
    expect(Contents).toMatchObject([{ Key: 'a', Size: 7, ETag, LastModified, StorageClass: 'STANDARD' }]);
  });

  it('answers an empty bucket', async () => {
    const { Contents, KeyCount } = await s3.list();
    expect([Contents, KeyCount]).toEqual([undefined, 0]);
  });

  it('sorts by the bytes of the keys in UTF-8', async () => {
    await putAll('b', '😀', '\uFFFD', 'a/b', 'a', 'B', 'ä');
    expect(await s3.keys()).toEqual(['B', 'a', 'a/b', 'b', 'ä', '\uFFFD', '😀']);
  });

  it('takes a prefix', async () => {
    await putAll('demo/1', 'demo/2', 'demon', 'other/demo/1');
    expect(await s3.keys({ Prefix: 'demo/' })).toEqual(['demo/1', 'demo/2']);
  });

  it('goes from page to page by a token', async () => {
    await putAll('e', 'd', 'c', 'b', 'a');
    const first = await s3.list({ MaxKeys: 2 });
    expect(first).toMatchObject({ IsTruncated: true, KeyCount: 2, MaxKeys: 2 });
    const pages: string[][] = [];
    for await (const page of paginateListObjectsV2({ client: s3.client, pageSize: 2 }, { Bucket: BUCKET })) {
      pages.push(page.Contents!.map(({ Key }) => Key!));
    }
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('goes on after the last key even if that has been deleted or others were added', async () => {
    await putAll('a', 'b', 'd');
    const { NextContinuationToken: ContinuationToken } = await s3.list({ MaxKeys: 2 });
    await s3.raw('DELETE', `/${BUCKET}/b`);
    await putAll('aa', 'c');
    expect(await s3.keys({ ContinuationToken })).toEqual(['c', 'd']);
  });

  it('starts after a key', async () => {
    await putAll('a', 'b', 'c');
    expect(await s3.keys({ StartAfter: 'a' })).toEqual(['b', 'c']);
  });

  it('groups by a delimiter, a group counting as one', async () => {
    await putAll('1/a', '1/b', '2/a', 'root', 'z/a');
    const first = await s3.list({ Delimiter: '/', MaxKeys: 2 });
    expect(first.CommonPrefixes).toEqual([{ Prefix: '1/' }, { Prefix: '2/' }]);
    expect(first.KeyCount).toBe(2);
    const second = await s3.list({ Delimiter: '/', ContinuationToken: first.NextContinuationToken });
    expect(second.Contents).toMatchObject([{ Key: 'root' }]);
    expect(second.CommonPrefixes).toEqual([{ Prefix: 'z/' }]);
    expect((await s3.list({ Delimiter: '/', Prefix: '1/' })).Contents).toMatchObject([
      { Key: '1/a' },
      { Key: '1/b' },
    ]);
  });

  it('encodes keys when asked to', async () => {
    await putAll('a b/ü+');
    expect(await s3.keys({ EncodingType: 'url' })).toEqual(['a%20b/%C3%BC%2B']);
  });

  it('gives at most 1000 keys, and none for 0', async () => {
    await putAll('a');
    expect((await s3.list({ MaxKeys: 5000 })).MaxKeys).toBe(1000);
    expect(await s3.list({ MaxKeys: 0 })).toMatchObject({ KeyCount: 0, IsTruncated: false });
  });

  it('refuses a token that is none, and a number that is none', async () => {
    const call = s3.list({ ContinuationToken: 'garbage' });
    expect(await refusal(call)).toMatchObject({ name: 'InvalidArgument', status: 400 });
    const answer = await s3.raw('GET', `/${BUCKET}?list-type=2&max-keys=many`);
    expect(answer).toMatchObject({ status: 400, code: 'InvalidArgument' });
  });
});
