import type { S3Client } from '@aws-sdk/client-s3';
import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { parseBodyRef } from '../domain/body.ts';
import type { Recipient } from '../domain/company.ts';
import type { Email } from '../domain/email.ts';
import { normaliseAddress } from '../domain/email-address.ts';
import type { EmailSendJobData } from '../domain/email-job.ts';
import type { Evidence } from '../domain/validations.ts';
import type { EvidenceReader } from '../ports/sending-evidence.ts';
import { bodyItemKind, openBody, readS3Body } from './brotli-body-store.ts';
import { tenantRowId } from './dynamo-tenant-store.ts';

interface Names {
  readonly emailTable: string;
  readonly tenantTable: string;
  readonly bodyBucket: string;
}

interface Want {
  readonly table: string;
  readonly key: Record<string, string>;
}

const MOST_KEYS_A_CALL = 100;
const PAUSE_BEFORE_REST_MS = 50;

export function dynamoEvidenceReader(
  dynamo: DynamoDBDocumentClient,
  s3: S3Client,
  names: Names,
): EvidenceReader {
  return {
    async read(jobs) {
      const rows = await readRows(
        dynamo,
        jobs.flatMap((job) => wanted(job, names)),
      );
      return Promise.allSettled(jobs.map((job) => assemble(job, rows, s3, names)));
    },
  };
}

function wanted(job: EmailSendJobData, { emailTable, tenantTable }: Names): Want[] {
  const body = parseBodyRef(job.htmlRef);
  return [
    { table: emailTable, key: { outboxId: job.outboxId, kind: 'EMAIL' } },
    ...(body?.store === 'dynamodb' ? [{ table: emailTable, key: bodyKey(body) }] : []),
    { table: tenantTable, key: { id: tenantRowId.recipient(recipientIdOf(job)) } },
    ...addressesOf(job).map((address) => ({
      table: tenantTable,
      key: { id: tenantRowId.suppression(job.companyId, address) },
    })),
  ];
}

async function assemble(job: EmailSendJobData, rows: Rows, s3: S3Client, names: Names): Promise<Evidence> {
  const ref = parseBodyRef(job.htmlRef);
  const stored = ref?.store === 'dynamodb' ? rows.get(names.emailTable, bodyKey(ref)) : undefined;
  const body =
    ref?.store === 's3'
      ? await readS3Body(s3, names.bodyBucket, ref)
      : ref && stored && (await openBody(stored['bytes'] as Uint8Array, ref));
  return {
    email: rows.get(names.emailTable, { outboxId: job.outboxId, kind: 'EMAIL' }) as Email | undefined,
    recipient: rows.get(names.tenantTable, { id: tenantRowId.recipient(recipientIdOf(job)) }) as
      Recipient | undefined,
    suppressed: new Set(
      addressesOf(job)
        .filter((address) =>
          rows.get(names.tenantTable, { id: tenantRowId.suppression(job.companyId, address) }),
        )
        .map(normaliseAddress),
    ),
    body,
  };
}

const recipientIdOf = (job: EmailSendJobData) => job.recipient.recipientId ?? job.recipientRef;
const addressesOf = (job: EmailSendJobData) => [job.to, ...(job.cc ?? []), ...(job.bcc ?? [])];
const bodyKey = (ref: { outboxId: string; sha256: string }) => ({
  outboxId: ref.outboxId,
  kind: bodyItemKind(ref.sha256),
});

interface Rows {
  get(table: string, key: Record<string, string>): Record<string, unknown> | undefined;
}

/** BatchGet refuses a key named twice and more than 100 keys, and may leave some unread under load. */
async function readRows(dynamo: DynamoDBDocumentClient, wants: readonly Want[]): Promise<Rows> {
  // Rows of the tenant table have one key, `id`; some of them name an outboxId besides.
  const nameOf = (table: string, row: Record<string, unknown>) =>
    JSON.stringify([table, ...('id' in row ? [row['id']] : [row['outboxId'], row['kind']])]);
  const unique = [...new Map(wants.map((want) => [nameOf(want.table, want.key), want])).values()];
  const found = new Map<string, Record<string, unknown>>();
  let open = unique;
  while (open.length > 0) {
    const now = open.slice(0, MOST_KEYS_A_CALL);
    const requests: Record<string, { Keys: Record<string, unknown>[]; ConsistentRead: true }> = {};
    for (const { table, key } of now) (requests[table] ??= { Keys: [], ConsistentRead: true }).Keys.push(key);
    const { Responses, UnprocessedKeys } = await dynamo.send(new BatchGetCommand({ RequestItems: requests }));
    for (const [table, items] of Object.entries(Responses ?? {}))
      for (const item of items) found.set(nameOf(table, item), item);
    const left = Object.entries(UnprocessedKeys ?? {}).flatMap(([table, { Keys }]) =>
      (Keys ?? []).map((key) => ({ table, key: key as Record<string, string> })),
    );
    if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_BEFORE_REST_MS));
    open = [...left, ...open.slice(MOST_KEYS_A_CALL)];
  }
  return { get: (table, key) => found.get(nameOf(table, key)) };
}
