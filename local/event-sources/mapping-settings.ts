import type { LocalResource } from '../template/stack.ts';
import { matchesPattern, type EventPattern } from './event-pattern.ts';

/** An AWS::Lambda::EventSourceMapping, with Lambda's defaults filled in. */
export interface MappingSettings {
  readonly id: string;
  readonly functionReference: string;
  readonly sourceArn: string;
  readonly batchSize: number;
  readonly reportsItemFailures: boolean;
  readonly bisects: boolean;
  /** Infinity where the template leaves it open, as Lambda does. */
  readonly retryAttempts: number;
  readonly maxRecordAgeMs: number;
  readonly maxConcurrency: number;
  readonly onFailureArn: string | undefined;
  /** Whether the function is to see this event at all. */
  accepts(event: unknown): boolean;
}

export function mappingSettings(resource: LocalResource): MappingSettings {
  const properties = resource.properties() as {
    FunctionName: string;
    EventSourceArn: string;
    BatchSize?: number;
    FunctionResponseTypes?: string[];
    BisectBatchOnFunctionError?: boolean;
    MaximumRetryAttempts?: number;
    MaximumRecordAgeInSeconds?: number;
    ScalingConfig?: { MaximumConcurrency?: number };
    DestinationConfig?: { OnFailure?: { Destination?: string } };
    FilterCriteria?: { Filters?: Array<{ Pattern: string }> };
  };
  const isQueue = properties.EventSourceArn.includes(':sqs:');
  const patterns = (properties.FilterCriteria?.Filters ?? []).map(
    ({ Pattern }) => JSON.parse(Pattern) as EventPattern,
  );
  const limit = (value: number | undefined) => (value === undefined || value === -1 ? Infinity : value);
  return {
    id: resource.id,
    functionReference: properties.FunctionName,
    sourceArn: properties.EventSourceArn,
    batchSize: properties.BatchSize ?? (isQueue ? 10 : 100),
    reportsItemFailures: properties.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false,
    bisects: properties.BisectBatchOnFunctionError ?? false,
    retryAttempts: limit(properties.MaximumRetryAttempts),
    maxRecordAgeMs: limit(properties.MaximumRecordAgeInSeconds) * 1000,
    maxConcurrency: properties.ScalingConfig?.MaximumConcurrency ?? Infinity,
    onFailureArn: properties.DestinationConfig?.OnFailure?.Destination,
    accepts: (event) => patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, event)),
  };
}
