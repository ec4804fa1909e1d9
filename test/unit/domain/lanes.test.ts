import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asideGroup, DEFAULT_BULK_LANES, laneGroup, laneOf, queueOf } from '../../../shared/domain/lanes.ts';
import { COMPANY_ID } from '../../factories/a-company.ts';
import { OUTBOX_ID } from '../../factories/an-email.ts';

describe('the lane', () => {
  it.each([
    [1, 'urgent', 'express'],
    [3, 'urgent', 'express'],
    [4, 'normal', 'express'],
    [5, 'normal', 'express'],
    [6, 'normal', 'express'],
  ])('of priority %i is %s, on %s', (priority, lane, queue) => {
    expect(laneOf(priority, OUTBOX_ID, DEFAULT_BULK_LANES)).toBe(lane);
    expect(queueOf(laneOf(priority, OUTBOX_ID, DEFAULT_BULK_LANES))).toBe(queue);
  });

  it.each([[7], [8], [10]])('of priority %i is a bulk one, on the bulk queue', (priority) => {
    const lane = laneOf(priority, OUTBOX_ID, DEFAULT_BULK_LANES);
    expect(lane).toMatch(/^bulk:[0-3]$/);
    expect(queueOf(lane)).toBe('bulk');
  });

  it('spreads a company’s bulk over all of its lanes, and no more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), (lanes) => {
        const used = new Set(Array.from({ length: 300 }, (_, n) => laneOf(8, `mail-${n}`, lanes)));
        expect([...used].sort()).toEqual(Array.from({ length: lanes }, (_, n) => `bulk:${n}`));
      }),
    );
  });

  it('of a mail is always the same', () => {
    fc.assert(fc.property(fc.uuid(), (id) => laneOf(9, id, 4) === laneOf(9, id, 4)));
  });
});

it('a group is a lane of one company', () => {
  expect(laneGroup(COMPANY_ID, 'bulk:2')).toBe(`${COMPANY_ID}:bulk:2`);
});

it('a mail that stepped aside has a group of its own', () => {
  expect(asideGroup(COMPANY_ID, OUTBOX_ID)).toBe(`${COMPANY_ID}:r:${OUTBOX_ID}`);
});
