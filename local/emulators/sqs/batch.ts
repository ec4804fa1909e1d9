import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { SqsError } from './errors.ts';

const MOST_ENTRIES = 10;
const ENTRY_ID = /^[A-Za-z0-9_-]{1,80}$/;

interface Entry {
  Id?: string | undefined;
}

export interface BatchResult<R> {
  Successful?: (R & { Id: string })[];
  Failed?: BatchResultErrorEntry[];
}

/** The rules about a batch as a whole; breaking one refuses all of it. */
export function checkedEntries<E extends Entry>(entries: E[] | undefined, action: string): E[] {
  if (!entries || entries.length === 0) {
    const message = `There should be at least one ${action}RequestEntry in the request.`;
    throw new SqsError('EmptyBatchRequest', message);
  }
  if (entries.length > MOST_ENTRIES) {
    const message = `Maximum number of entries per request are ${MOST_ENTRIES}. You have sent ${entries.length}.`;
    throw new SqsError('TooManyEntriesInBatchRequest', message);
  }
  const ids = entries.map(({ Id }) => Id ?? '');
  if (!ids.every((id) => ENTRY_ID.test(id))) {
    const message =
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.';
    throw new SqsError('InvalidBatchEntryId', message);
  }
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw new SqsError('BatchEntryIdsNotDistinct', `Id ${repeated} repeated.`);
  return entries;
}

/** Each entry stands for itself: one that is refused does not hinder the others. */
export function eachEntry<E extends Entry, R extends object>(
  entries: E[],
  perform: (entry: E) => R,
): BatchResult<R> {
  const successful: (R & { Id: string })[] = [];
  const failed: BatchResultErrorEntry[] = [];
  for (const entry of entries) {
    const Id = entry.Id ?? '';
    try {
      successful.push({ Id, ...perform(entry) });
    } catch (error) {
      if (!(error instanceof SqsError)) throw error;
      failed.push({ Id, SenderFault: error.senderFault, Code: error.queryCode, Message: error.message });
    }
  }
  return {
    ...(successful.length > 0 && { Successful: successful }),
    ...(failed.length > 0 && { Failed: failed }),
  };
}
