import { worksetKey, type WorksetKind } from '../../shared/domain/workset.ts';
import type { Workset } from '../../shared/ports/workset.ts';
import type { MemoryEmailStore } from './memory-email-store.ts';

/** The sparse index over the mails of a store. */
export function memoryWorkset(emails: Pick<MemoryEmailStore, 'index'>): Workset {
  const inShard = (kind: WorksetKind, shard: number) =>
    emails.index().filter((email) => email.worksetKey === worksetKey(kind, shard));
  return {
    async *overdue(kind, shard, until) {
      const found = inShard(kind, shard)
        .filter((email) => (email.worksetAt ?? '') <= until)
        .sort((a, b) => ((a.worksetAt ?? '') < (b.worksetAt ?? '') ? -1 : 1));
      for (const { outboxId } of found) yield await Promise.resolve(outboxId);
    },

    countAhead(kind, shard, after) {
      const ahead = inShard(kind, shard).filter((email) => (email.worksetAt ?? '') > after);
      return Promise.resolve(ahead.length);
    },
  };
}
