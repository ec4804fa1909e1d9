import { describe, expect, it } from 'vitest';
import { EMAIL_STATUSES } from '../../../shared/domain/email-state.ts';
import { nextLook, placeInWorkset, WORKSET_SHARDS, worksetKey } from '../../../shared/domain/workset.ts';
import { aFailedEmail, anEmail } from '../../factories/an-email.ts';
import { DAY, HOUR, iso, MINUTE, NOW, SECOND } from '../../factories/moments.ts';

describe('the next look', () => {
  const inADay = iso(NOW + DAY);

  it.each([
    [0, 10 * MINUTE],
    [1, 20 * MINUTE],
    [2, 40 * MINUTE],
    [3, 80 * MINUTE],
    [20, 8 * HOUR],
  ])('after %i looks is %i ms away', (looks, wait) => {
    expect(nextLook(NOW, looks, inADay)).toBe(iso(NOW + wait));
  });

  it('is never later than the end of the mail', () => {
    expect(nextLook(NOW, 2, iso(NOW + 25 * MINUTE))).toBe(iso(NOW + 25 * MINUTE));
  });

  it.each([[NOW + 5 * SECOND], [NOW], [NOW - HOUR]])(
    'leaves a minute to a mail that ends at %i',
    (expiresAt) => {
      expect(nextLook(NOW, 0, iso(expiresAt))).toBe(iso(NOW + MINUTE));
    },
  );
});

describe('the place', () => {
  const lookAt = iso(NOW + 10 * MINUTE);
  const sendAt = iso(NOW + HOUR);

  it('of a scheduled mail is by the time it is due', () => {
    const place = placeInWorkset(anEmail({ status: 'SCHEDULED', sendAt }), lookAt);
    expect(place.worksetKey).toMatch(/^due#[0-7]$/);
    expect(place.worksetAt).toBe(sendAt);
  });

  it.each(['PENDING', 'SENT_ATTEMPT', 'RETRY_SCHEDULED'] as const)(
    'of a mail that is %s is by when to look again',
    (status) => {
      const place = placeInWorkset(anEmail({ status }), lookAt);
      expect(place.worksetKey).toMatch(/^watch#[0-7]$/);
      expect(place.worksetAt).toBe(lookAt);
    },
  );

  it('of a dead mail is by when it died', () => {
    const email = aFailedEmail();
    const place = placeInWorkset(email, lookAt);
    expect(place.worksetKey).toMatch(/^dead#[0-7]$/);
    expect(place.worksetAt).toBe(email.failedAt);
  });

  it.each(
    EMAIL_STATUSES.filter(
      (s) => !['SCHEDULED', 'PENDING', 'SENT_ATTEMPT', 'RETRY_SCHEDULED', 'FAILED'].includes(s),
    ),
  )('of a mail that is %s is nowhere', (status) => {
    expect(placeInWorkset(anEmail({ status }), lookAt)).toEqual({
      worksetKey: undefined,
      worksetAt: undefined,
    });
  });

  it('uses every shard, and the same one for the same mail', () => {
    const keyOf = (n: number) => placeInWorkset(anEmail({ outboxId: `mail-${n}` }), lookAt).worksetKey;
    const keys = new Set(Array.from({ length: 500 }, (_, n) => keyOf(n)));
    const all = Array.from({ length: WORKSET_SHARDS }, (_, shard) => worksetKey('watch', shard));
    expect([...keys].sort()).toEqual(all);
    expect(keyOf(1)).toBe(keyOf(1));
  });
});
