import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, it } from 'vitest';
import { BUCKET, elementOf, LocalS3 } from './local-s3.ts';

const s3 = LocalS3.forEachTest();

type Presigned = GetObjectCommand | PutObjectCommand;

function presign(command: Presigned, expiresIn = 60): Promise<string> {
  return getSignedUrl(s3.client, command, { expiresIn, signingDate: new Date(s3.clock.now()) });
}

async function codeOf(response: Response): Promise<string | undefined> {
  return elementOf(await response.text(), 'Code');
}

describe('a presigned URL', () => {
  it('downloads without credentials', async () => {
    await s3.put('a b/ü', 'content');
    const response = await fetch(await presign(new GetObjectCommand({ Bucket: BUCKET, Key: 'a b/ü' })));
    expect([response.status, await response.text()]).toEqual([200, 'content']);
  });

  it('may name the download', async () => {
    await s3.put('a', 'content', { ContentType: 'text/html' });
    const command = new GetObjectCommand({
      Bucket: BUCKET,
      Key: 'a',
      ResponseContentDisposition: 'attachment; filename="mail.html"',
      ResponseContentType: 'text/plain',
    });
    const { headers } = await fetch(await presign(command));
    expect(headers.get('content-disposition')).toBe('attachment; filename="mail.html"');
    expect(headers.get('content-type')).toBe('text/plain');
  });

  it('uploads, with the metadata that was signed and the type that the client sends', async () => {
    const url = await presign(
      new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Metadata: { company: 'demo' } }),
    );
    const response = await fetch(url, {
      method: 'PUT',
      body: 'content',
      headers: { 'content-type': 'text/csv' },
    });
    expect(response.status).toBe(200);
    expect(await s3.text('a')).toBe('content');
    const head = await s3.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    expect(head).toMatchObject({ ContentType: 'text/csv', Metadata: { company: 'demo' } });
  });

  it.each(['GET', 'PUT'])('for %s lives as long as it says and no longer', async (method) => {
    await s3.put('a', 'content');
    const target = { Bucket: BUCKET, Key: 'a' };
    const url = await presign(method === 'GET' ? new GetObjectCommand(target) : new PutObjectCommand(target));
    const use = () => fetch(url, { method, ...(method === 'PUT' ? { body: 'changed' } : {}) });
    s3.clock.advance(59_000);
    expect((await use()).status).toBe(200);
    const before = await s3.text('a');
    s3.clock.advance(2_000);
    const refused = await use();
    expect(refused.status).toBe(403);
    const xml = await refused.text();
    expect([elementOf(xml, 'Code'), elementOf(xml, 'Message')]).toEqual([
      'AccessDenied',
      'Request has expired',
    ]);
    expect(await s3.text('a')).toBe(before);
  });

  it('is not valid before it was signed', async () => {
    const url = await presign(new GetObjectCommand({ Bucket: BUCKET, Key: 'a' }), 3600);
    s3.clock.advance(-16 * 60_000);
    expect((await fetch(url)).status).toBe(403);
  });

  it('lives for a week at most', async () => {
    const url = await presign(new GetObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    const response = await fetch(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=604801'));
    expect([response.status, await codeOf(response)]).toEqual([400, 'AuthorizationQueryParametersError']);
  });

  it.each(['X-Amz-Signature', 'X-Amz-Expires', 'X-Amz-Date'])('without %s is refused', async (name) => {
    const url = new URL(await presign(new GetObjectCommand({ Bucket: BUCKET, Key: 'a' })));
    url.searchParams.delete(name);
    const response = await fetch(url);
    expect([response.status, await codeOf(response)]).toEqual([400, 'AuthorizationQueryParametersError']);
  });

  it('of the older kind, which the AWS CLI 1 makes, expires too', async () => {
    await s3.put('a', 'content');
    const expires = Math.floor(s3.clock.now() / 1000) + 60;
    const url = `${s3.emulator.url}/${BUCKET}/a?AWSAccessKeyId=local&Signature=x&Expires=${expires}`;
    expect((await fetch(url)).status).toBe(200);
    s3.clock.advance(61_000);
    expect((await fetch(url)).status).toBe(403);
  });
});

describe('a request that nobody signed', () => {
  it('is denied', async () => {
    await s3.put('a', 'content');
    const response = await fetch(`${s3.emulator.url}/${BUCKET}/a`);
    expect([response.status, await codeOf(response)]).toEqual([403, 'AccessDenied']);
  });
});
