import {
  observeBatch,
  type FairnessFigures,
  type TenantFairnessMetrics,
} from '../../shared/domain/fairness.ts';

/** Keeps this instance's fairness figures; the answer is those of the companies just served. */
export function tenantFigures(
  now: () => number,
): (companyIds: readonly string[]) => readonly TenantFairnessMetrics[] {
  let figures: FairnessFigures = new Map();
  return (companyIds) => {
    figures = observeBatch(figures, companyIds, now());
    return [...new Set(companyIds)].flatMap((companyId) => figures.get(companyId) ?? []);
  };
}
