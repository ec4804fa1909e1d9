import { createHash } from 'node:crypto';

/** A lane is one FIFO message group of a company. `urgent` 1–3, `normal` 4–6, `bulk:n` 7–10. */
export type Lane = 'urgent' | 'normal' | `bulk:${number}`;
export type QueueName = 'express' | 'bulk';

export const DEFAULT_BULK_LANES = 4;
export const MOST_BULK_LANES = 8;

/** A company's weight is its number of bulk lanes; a mail always falls into the same one. */
export function laneOf(priority: number, outboxId: string, bulkLanes: number): Lane {
  if (priority <= 3) return 'urgent';
  if (priority <= 6) return 'normal';
  return `bulk:${shardOf(outboxId, bulkLanes)}`;
}

export function queueOf(lane: Lane): QueueName {
  return lane.startsWith('bulk') ? 'bulk' : 'express';
}

export function laneGroup(companyId: string, lane: Lane): string {
  return `${companyId}:${lane}`;
}

/** A mail that stepped aside waits in a group of its own, where it holds up nobody. */
export function asideGroup(companyId: string, outboxId: string): string {
  return `${companyId}:r:${outboxId}`;
}

export function shardOf(id: string, shards: number): number {
  return createHash('sha256').update(id).digest().readUInt32BE(0) % shards;
}
