import { createHash } from 'node:crypto';

export interface MailBody {
  readonly html: string;
  readonly text?: string;
}

/** Up to this many compressed bytes a body lives in DynamoDB; above it S3 is cheaper. */
export const LARGEST_INLINE_BODY = 8 * 1024;

export type BodyRef =
  | { readonly store: 'dynamodb'; readonly outboxId: string; readonly sha256: string }
  | { readonly store: 's3'; readonly key: string; readonly sha256: string };

/** `dynamodb:<outboxId>:<sha256>` or `s3:<companyId>/<outboxId>/<sha256>`; the hash is of the uncompressed bytes. */
export function formatBodyRef(ref: BodyRef): string {
  return ref.store === 'dynamodb' ? `dynamodb:${ref.outboxId}:${ref.sha256}` : `s3:${ref.key}`;
}

export function parseBodyRef(text: string): BodyRef | undefined {
  const inline = /^dynamodb:([^:]+):([0-9a-f]{64})$/.exec(text);
  if (inline?.[1] && inline[2]) return { store: 'dynamodb', outboxId: inline[1], sha256: inline[2] };
  const stored = /^s3:(.+\/([0-9a-f]{64}))$/.exec(text);
  if (stored?.[1] && stored[2]) return { store: 's3', key: stored[1], sha256: stored[2] };
  return undefined;
}

export function serialiseBody(body: MailBody): Buffer {
  return Buffer.from(
    JSON.stringify({ html: body.html, ...(body.text !== undefined && { text: body.text }) }),
    'utf8',
  );
}

export function parseBody(bytes: Uint8Array): MailBody {
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as MailBody;
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
