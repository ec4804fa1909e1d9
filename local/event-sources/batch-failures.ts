import type { InvocationResult } from '../lambda/lambda-function.ts';

/** What an invocation says about its batch: `some` carries the identifiers that failed. */
export type BatchVerdict =
  | { readonly kind: 'success' }
  | { readonly kind: 'failure' }
  | { readonly kind: 'some'; readonly failed: ReadonlySet<string> };

/**
 * Reads a response as Lambda does: null, an empty response or an empty list is success; an identifier that
 * is empty, missing or not of this batch fails the whole batch.
 */
export function batchVerdict(
  result: InvocationResult,
  reportsItemFailures: boolean,
  identifiers: readonly string[],
): BatchVerdict {
  if (!result.ok) return { kind: 'failure' };
  if (!reportsItemFailures) return { kind: 'success' };
  const response = result.payload as { batchItemFailures?: unknown } | null;
  const reported = response?.batchItemFailures ?? [];
  if (!Array.isArray(reported)) return { kind: 'failure' };
  if (reported.length === 0) return { kind: 'success' };
  const failed = new Set<string>();
  for (const item of reported as Array<{ itemIdentifier?: unknown } | null>) {
    const identifier = item?.itemIdentifier;
    if (typeof identifier !== 'string' || !identifiers.includes(identifier)) return { kind: 'failure' };
    failed.add(identifier);
  }
  return { kind: 'some', failed };
}
