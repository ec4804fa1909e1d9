import type { WorksetKind } from '../domain/workset.ts';

export interface Workset {
  /** Ids of the mails of one shard whose time has come, the longest overdue first. */
  overdue(kind: WorksetKind, shard: number, until: string): AsyncIterable<string>;
  /** How many mails of one shard have their time still ahead. */
  countAhead(kind: WorksetKind, shard: number, after: string): Promise<number>;
}
