import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculateBackoffDelay, longHoldDelay } from '../../../shared/domain/backoff.ts';
import { MINUTE } from '../../factories/moments.ts';

const middle = () => 0.5;
const lowest = () => 0;
const highest = () => 1 - Number.EPSILON;

describe('the steps, which are the default', () => {
  it.each([
    [1, 1000],
    [2, 5000],
    [3, 30_000],
    [4, 120_000],
    [5, 600_000],
  ])('after attempt %i wait %i ms', (attempt, delay) => {
    expect(calculateBackoffDelay(attempt, middle)).toBe(delay);
    expect(calculateBackoffDelay(attempt, middle, 'steps')).toBe(delay);
    expect(calculateBackoffDelay(attempt, lowest)).toBe(delay * 0.75);
    expect(calculateBackoffDelay(attempt, highest)).toBe(delay * 1.25);
  });

  it('stay at the last one', () => {
    expect(calculateBackoffDelay(99, middle)).toBe(600_000);
  });
});

describe('the exponential curve', () => {
  it.each([
    [1, 750, 1000, 1250],
    [2, 1500, 2000, 2500],
    [3, 3000, 4000, 5000],
    [4, 6000, 8000, 10_000],
    [5, 12_000, 16_000, 20_000],
    [6, 24_000, 32_000, 40_000],
    [7, 45_000, 60_000, 75_000],
    [50, 45_000, 60_000, 75_000],
  ])('after attempt %i waits %i to %i to %i ms', (attempt, least, usual, most) => {
    expect(calculateBackoffDelay(attempt, lowest, 'exponential')).toBe(least);
    expect(calculateBackoffDelay(attempt, middle, 'exponential')).toBe(usual);
    expect(calculateBackoffDelay(attempt, highest, 'exponential')).toBe(most);
  });
});

it.each(['steps', 'exponential'] as const)('the jitter of %s is never more than a quarter', (curve) => {
  fc.assert(
    fc.property(
      fc.integer({ min: -3, max: 100 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, random) => {
        const usual = calculateBackoffDelay(attempt, middle, curve);
        const delay = calculateBackoffDelay(attempt, () => random, curve);
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(usual * 0.75);
        expect(delay).toBeLessThanOrEqual(usual * 1.25);
      },
    ),
  );
});

it.each([
  [0, 15],
  [1, 30],
  [2, 45],
  [3, 60],
  [4, 60],
  [1000, 60],
])('after %i long holds the next one is %i minutes', (holds, minutes) => {
  expect(longHoldDelay(holds)).toBe(minutes * MINUTE);
});
