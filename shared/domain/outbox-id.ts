import { createHash } from 'node:crypto';

/** Chosen once, for this product. Changing it would turn every retry into a new mail. */
const NAMESPACE = Buffer.from('6f1c2a5e0d7b4c0e9a3f5b8e4d2c7a91', 'hex');

/** What an outboxId is derived from; the kind comes first, so two kinds never collide. */
export type OutboxIdSource =
  | readonly ['idem', companyId: string, key: string]
  | readonly ['event', companyId: string, aggregateType: string, aggregateId: string, eventType: string]
  | readonly ['entry', mailingId: string, normalisedAddress: string]
  | readonly ['mailing', companyId: string, filename: string];

/** UUIDv5: the same source gives the same id, on every machine, for ever. */
export function deriveOutboxId(source: OutboxIdSource): string {
  const hash = createHash('sha1').update(NAMESPACE).update(JSON.stringify(source), 'utf8').digest();
  return formatUuid(hash.subarray(0, 16), 5);
}

/** UUIDv7: sorts by time; for a mail that came with nothing to recognise it by. */
export function newOutboxId(now: number, random: (bytes: number) => Uint8Array): string {
  const bytes = Buffer.concat([Buffer.alloc(6), random(10)]);
  bytes.writeUIntBE(now, 0, 6);
  return formatUuid(bytes, 7);
}

/** A UUID made of a keyed hash, for ids that must be stable and must not be guessable. */
export function uuidFromHash(hex: string): string {
  return formatUuid(Buffer.from(hex.slice(0, 32), 'hex'), 8);
}

function formatUuid(bytes: Uint8Array, version: number): string {
  const b = Buffer.from(bytes);
  b[6] = ((b[6] ?? 0) & 0x0f) | (version << 4);
  b[8] = ((b[8] ?? 0) & 0x3f) | 0x80;
  const hex = b.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
