/**
 * The figures of the round-robin in the original worker. SQS message groups do its work here; what each figure
 * became is on one page: docs/decisions/0004-fairness-by-lanes.md.
 */
export const EMAIL_JOB_FAIRNESS_CONFIG = {
  ENABLE_ROUND_ROBIN: true,
  MAX_JOBS_PER_TENANT_BATCH: 3,
  ROUND_ROBIN_BASE_PRIORITY: 5,
  PRIORITY_INCREMENT_PER_ROUND: 1,
  MAX_ROUND_ROBIN_PRIORITY: 1,
} as const;

/** How one sender instance served a company. A round is a batch. */
export interface TenantFairnessMetrics {
  readonly companyId: string;
  readonly lastProcessedAt?: string;
  /** Batches in a row in which others were served and this company was not. */
  readonly roundsWithoutProcessing: number;
  readonly currentPriority: number;
  readonly totalProcessed: number;
  /** Batches in a row in which nobody else was served. */
  readonly consecutiveBatchCount: number;
}

/** 1 is the most urgent. A company that waits becomes more urgent with each round. */
export function calculateRoundRobinPriority(roundsWithoutProcessing: number): number {
  const { ROUND_ROBIN_BASE_PRIORITY, PRIORITY_INCREMENT_PER_ROUND, MAX_ROUND_ROBIN_PRIORITY } =
    EMAIL_JOB_FAIRNESS_CONFIG;
  const raised = ROUND_ROBIN_BASE_PRIORITY - roundsWithoutProcessing * PRIORITY_INCREMENT_PER_ROUND;
  return Math.max(MAX_ROUND_ROBIN_PRIORITY, raised);
}

export type FairnessFigures = ReadonlyMap<string, TenantFairnessMetrics>;

/** More companies than that in one instance's memory: the longest unseen are forgotten. */
const MOST_COMPANIES = 1_000;

/** The figures after one more batch; `companyIds` has one entry for each of its mails. */
export function observeBatch(
  figures: FairnessFigures,
  companyIds: readonly string[],
  now: number,
): FairnessFigures {
  if (companyIds.length === 0) return figures;
  const served = new Set(companyIds);
  const next = new Map<string, TenantFairnessMetrics>();
  for (const [companyId, figure] of figures) {
    if (!served.has(companyId)) next.set(companyId, passedOver(figure));
  }
  for (const companyId of served) {
    const before = figures.get(companyId);
    const alone = served.size === 1;
    next.set(companyId, {
      companyId,
      lastProcessedAt: new Date(now).toISOString(),
      roundsWithoutProcessing: 0,
      currentPriority: calculateRoundRobinPriority(0),
      totalProcessed: (before?.totalProcessed ?? 0) + companyIds.filter((id) => id === companyId).length,
      consecutiveBatchCount: alone ? (before?.consecutiveBatchCount ?? 0) + 1 : 0,
    });
  }
  return new Map([...next].slice(-MOST_COMPANIES));
}

function passedOver(figure: TenantFairnessMetrics): TenantFairnessMetrics {
  const roundsWithoutProcessing = figure.roundsWithoutProcessing + 1;
  return {
    ...figure,
    roundsWithoutProcessing,
    currentPriority: calculateRoundRobinPriority(roundsWithoutProcessing),
    consecutiveBatchCount: 0,
  };
}
