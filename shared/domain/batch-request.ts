import { z } from 'zod';
import { faultsOf, type Fault } from './api-errors.ts';

export const LARGEST_BATCH = 100;

/** Each mail is checked on its own: one bad address must not keep ninety-nine mails from being sent. */
const batchRequestSchema = z.strictObject({
  emails: z.array(z.unknown()).min(1).max(LARGEST_BATCH),
});

export type CheckedBatch = { ok: true; emails: readonly unknown[] } | { ok: false; faults: readonly Fault[] };

export function checkBatchRequest(body: unknown): CheckedBatch {
  const parsed = batchRequestSchema.safeParse(body);
  return parsed.success
    ? { ok: true, emails: parsed.data.emails }
    : { ok: false, faults: parsed.error.issues.flatMap(faultsOf) };
}
