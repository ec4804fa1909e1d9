import { describe, expect, it } from 'vitest';
import {
  calculateRoundRobinPriority,
  EMAIL_JOB_FAIRNESS_CONFIG,
  observeBatch,
  type FairnessFigures,
} from '../../../shared/domain/fairness.ts';
import { iso, NOW, SECOND } from '../../factories/moments.ts';

it('keeps the constants of the contract', () => {
  expect(EMAIL_JOB_FAIRNESS_CONFIG).toEqual({
    ENABLE_ROUND_ROBIN: true,
    MAX_JOBS_PER_TENANT_BATCH: 3,
    ROUND_ROBIN_BASE_PRIORITY: 5,
    PRIORITY_INCREMENT_PER_ROUND: 1,
    MAX_ROUND_ROBIN_PRIORITY: 1,
  });
});

it.each([
  [0, 5],
  [1, 4],
  [4, 1],
  [5, 1],
  [1000, 1],
])('a company that was passed over %i times has priority %i', (rounds, priority) => {
  expect(calculateRoundRobinPriority(rounds)).toBe(priority);
});

/** The figures after these batches, a second apart. */
function after(...batches: string[][]): FairnessFigures {
  return batches.reduce<FairnessFigures>(
    (figures, batch, i) => observeBatch(figures, batch, NOW + i * SECOND),
    new Map(),
  );
}

describe('the figures of a company', () => {
  it('count its mails and when it was served', () => {
    expect(after(['a', 'a', 'b'], ['a', 'b']).get('a')).toEqual({
      companyId: 'a',
      lastProcessedAt: iso(NOW + SECOND),
      roundsWithoutProcessing: 0,
      currentPriority: 5,
      totalProcessed: 3,
      consecutiveBatchCount: 0,
    });
  });

  it('show the rounds in which others were served, and how urgent it has become', () => {
    expect(after(['a'], ['b'], ['b'], ['b']).get('a')).toMatchObject({
      roundsWithoutProcessing: 3,
      currentPriority: 2,
      totalProcessed: 1,
      lastProcessedAt: iso(NOW),
    });
    expect(after(['a'], ['b'], ['a']).get('a')).toMatchObject({
      roundsWithoutProcessing: 0,
      currentPriority: 5,
    });
  });

  it('show the batches in a row that it had for itself', () => {
    expect(after(['a'], ['a'], ['a']).get('a')?.consecutiveBatchCount).toBe(3);
    expect(after(['a'], ['a'], ['a', 'b']).get('a')?.consecutiveBatchCount).toBe(0);
    expect(after(['a'], ['a'], ['b'], ['a']).get('a')?.consecutiveBatchCount).toBe(1);
  });
});

it('an empty batch is no round', () => {
  const figures = after(['a']);
  expect(observeBatch(figures, [], NOW + SECOND)).toBe(figures);
});

it('what was there before is not changed', () => {
  const before = after(['a']);
  observeBatch(before, ['b'], NOW + SECOND);
  expect(before).toEqual(after(['a']));
});

it('of more than a thousand companies the longest unseen are forgotten', () => {
  const many = Array.from({ length: 1_000 }, (_, i) => [`company-${i}`]);
  const figures = after(['first'], ['second'], ...many.slice(2), ['first'], ['new']);
  expect(figures.size).toBe(1_000);
  expect(figures.has('second')).toBe(false);
  expect(figures.get('first')?.totalProcessed).toBe(2);
});
