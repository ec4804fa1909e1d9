import type { _Record } from '@aws-sdk/client-dynamodb-streams';
import type { Clock } from '../clock.ts';
import type { InvocationResult, Invocable } from '../lambda/lambda-function.ts';
import { LOCAL_REGION } from '../template/cloudformation.ts';
import { batchVerdict } from './batch-failures.ts';
import type { MappingSettings } from './mapping-settings.ts';

export interface StreamRecord {
  readonly sequenceNumber: string;
  readonly createdAt: number;
  /** As Lambda hands it to the function. */
  readonly event: unknown;
}

/** Why records were given up, and after how many invocations. */
export interface GivenUp {
  readonly condition: 'RetryAttemptsExhausted' | 'MaximumRecordAgeExceeded';
  readonly records: readonly StreamRecord[];
  readonly invocations: number;
  readonly requestId: string;
}

export interface BatchPorts {
  readonly target: Invocable;
  readonly clock: Clock;
  /** Everything up to this record is done with. */
  checkpoint(sequenceNumber: string): void;
  giveUp(lost: GivenUp): Promise<void>;
  stopping(): boolean;
  /** Resolves to false when the mapping is stopping. */
  pause(ms: number): Promise<boolean>;
}

/**
 * Runs one batch to its end: handled, or given up. A function error halves the batch (without using up a
 * retry); a reported item failure moves the checkpoint to just before it and retries from there.
 * Resolves to false when it was interrupted, so that nothing behind the batch may be touched.
 */
export async function runStreamBatch(
  batch: readonly StreamRecord[],
  settings: MappingSettings,
  ports: BatchPorts,
): Promise<boolean> {
  let records = batch;
  let invocations = 0;
  let requestId = '';
  while (records.length > 0) {
    const [fresh, stale] = byAge(records, settings, ports.clock.now());
    if (stale.length > 0) {
      await ports.giveUp({ condition: 'MaximumRecordAgeExceeded', records: stale, invocations, requestId });
      ports.checkpoint(last(stale).sequenceNumber);
      records = fresh;
      continue;
    }
    const result = await invoke(ports.target, records);
    if (!result) return false;
    invocations += 1;
    requestId = result.requestId;
    const identifiers = records.map((record) => record.sequenceNumber);
    const verdict = batchVerdict(result, settings.reportsItemFailures, identifiers);
    if (verdict.kind === 'success') {
      ports.checkpoint(last(records).sequenceNumber);
      return true;
    }
    // The host ends invocations that outlast a shutdown: no verdict on these records.
    if (ports.stopping()) return false;
    if (verdict.kind === 'some') {
      const firstFailed = identifiers.findIndex((identifier) => verdict.failed.has(identifier));
      if (firstFailed > 0) {
        ports.checkpoint(identifiers[firstFailed - 1] ?? '');
        records = records.slice(firstFailed);
        invocations = 1;
      }
    } else if (settings.bisects && records.length > 1) {
      const middle = Math.ceil(records.length / 2);
      const first = await runStreamBatch(records.slice(0, middle), settings, ports);
      return first && (await runStreamBatch(records.slice(middle), settings, ports));
    }
    if (invocations > settings.retryAttempts) {
      await ports.giveUp({ condition: 'RetryAttemptsExhausted', records, invocations, requestId });
      ports.checkpoint(last(records).sequenceNumber);
      return true;
    }
    if (!(await ports.pause(retryDelay(invocations)))) return false;
  }
  return true;
}

/** From the stream API's shape to the one that functions receive. */
export function streamRecord(record: _Record, eventSourceARN: string): StreamRecord {
  const { ApproximateCreationDateTime: createdAt, ...change } = record.dynamodb ?? {};
  return {
    sequenceNumber: change.SequenceNumber ?? '',
    createdAt: createdAt?.getTime() ?? 0,
    event: withBase64Binaries({
      eventID: record.eventID,
      eventName: record.eventName,
      eventVersion: record.eventVersion,
      eventSource: record.eventSource,
      awsRegion: LOCAL_REGION,
      dynamodb: {
        ApproximateCreationDateTime: Math.floor((createdAt?.getTime() ?? 0) / 1000),
        ...change,
      },
      ...(record.userIdentity && {
        userIdentity: { type: record.userIdentity.Type, principalId: record.userIdentity.PrincipalId },
      }),
      eventSourceARN,
    }),
  };
}

function withBase64Binaries(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(withBase64Binaries);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, withBase64Binaries(v)]));
}

/** Undefined when the host is shutting down, which says nothing about the batch. */
async function invoke(
  target: Invocable,
  records: readonly StreamRecord[],
): Promise<InvocationResult | undefined> {
  try {
    return await target.invoke({ Records: records.map((record) => record.event) });
  } catch {
    return undefined;
  }
}

/** A stream is ordered by age, so what is too old comes first; a checkpoint behind it skips nothing. */
function byAge(
  records: readonly StreamRecord[],
  { maxRecordAgeMs }: MappingSettings,
  now: number,
): [fresh: StreamRecord[], stale: StreamRecord[]] {
  const firstFresh = records.findIndex((record) => now - record.createdAt <= maxRecordAgeMs);
  const stale = firstFresh === -1 ? records.length : firstFresh;
  return [records.slice(stale), records.slice(0, stale)];
}

function retryDelay(invocations: number): number {
  return Math.min(10_000, 100 * 2 ** Math.min(invocations - 1, 10));
}

function last(records: readonly StreamRecord[]): StreamRecord {
  const record = records.at(-1);
  if (!record) throw new Error('A batch is never empty.');
  return record;
}
