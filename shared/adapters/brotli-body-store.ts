import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  formatBodyRef,
  LARGEST_INLINE_BODY,
  parseBody,
  serialiseBody,
  sha256,
  type BodyRef,
} from '../domain/body.ts';
import type { Evidence } from '../domain/validations.ts';
import type { BodyStore } from '../ports/body-store.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Above the middle, brotli costs ten times the time for a few percent. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Longer than a redrive is possible: the mail's time, the 7 days of the DLQ, and a week to think. */
const DAYS_AFTER_EXPIRY = 15;

export function bodyItemKind(hash: string): string {
  return `BODY#${hash}`;
}

export function brotliBodyStore(
  dynamo: DynamoDBDocumentClient,
  s3: S3Client,
  names: { readonly emailTable: string; readonly bodyBucket: string },
): BodyStore {
  return {
    async put({ companyId, outboxId, expiresAt }, body) {
      const bytes = serialiseBody(body);
      const hash = sha256(bytes);
      const compressed = await compress(bytes, QUALITY);
      if (compressed.length <= LARGEST_INLINE_BODY) {
        const purgeAt = Math.ceil(Date.parse(expiresAt) / 1000) + DAYS_AFTER_EXPIRY * 86_400;
        const item = { outboxId, kind: bodyItemKind(hash), bytes: compressed, purgeAt };
        await putUnlessLonger(dynamo, names.emailTable, item);
        return formatBodyRef({ store: 'dynamodb', outboxId, sha256: hash });
      }
      const key = `${companyId}/${outboxId}/${hash}`;
      await s3.send(new PutObjectCommand({ Bucket: names.bodyBucket, Key: key, Body: compressed }));
      return formatBodyRef({ store: 's3', key, sha256: hash });
    },
  };
}

/** The same body may be there already. Its end is never brought forward, and put off only if that is worth a write. */
async function putUnlessLonger(
  dynamo: DynamoDBDocumentClient,
  table: string,
  item: { readonly purgeAt: number },
): Promise<void> {
  try {
    await dynamo.send(
      new PutCommand({
        TableName: table,
        Item: item,
        ConditionExpression: 'attribute_not_exists(purgeAt) OR purgeAt < :dayBefore',
        ExpressionAttributeValues: { ':dayBefore': item.purgeAt - 86_400 },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** What the sender needs: the content, and whether it still is what was accepted. */
export async function openBody(compressed: Uint8Array, ref: BodyRef): Promise<NonNullable<Evidence['body']>> {
  const bytes = await decompress(compressed);
  return { content: parseBody(bytes), intact: sha256(bytes) === ref.sha256 };
}

export async function readS3Body(
  s3: S3Client,
  bucket: string,
  ref: BodyRef & { store: 's3' },
): Promise<Evidence['body']> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: ref.key }));
    return Body ? await openBody(await Body.transformToByteArray(), ref) : undefined;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}
