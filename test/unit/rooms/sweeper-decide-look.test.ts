import { describe, expect, it } from 'vitest';
import { decideLook } from '../../../lambdas/sweeper/decide-look.ts';
import type { Email } from '../../../shared/domain/email.ts';
import { EMAIL_STATUSES, isLive } from '../../../shared/domain/email-state.ts';
import { aClaimedEmail, anEmail } from '../../factories/an-email.ts';
import { HOUR, iso, MINUTE, NOW, SECOND } from '../../factories/moments.ts';

/** A live mail whose time to be looked at has come. */
const overdue = (overrides: Partial<Email> = {}) => anEmail({ worksetAt: iso(NOW), ...overrides });
const queued = () => true;
const notQueued = () => false;
const later = (until: number, looks: number) => ({
  command: { type: 'WATCH_LATER', until: iso(until), looks },
  enqueue: 'no',
});

const final = EMAIL_STATUSES.filter((status) => status !== 'SCHEDULED' && !isLive(status));
it.each(final)('a mail that is %s needs nothing, however late it is', (status) => {
  expect(decideLook(overdue({ status, expiresAt: iso(NOW) }), NOW, notQueued)).toBe('nothing');
});

describe('a mail that a sender has', () => {
  it('is left alone while the lease runs, even past its own end', () => {
    const claimed = aClaimedEmail({ worksetAt: iso(NOW), leaseUntil: iso(NOW + 1), expiresAt: iso(NOW) });
    expect(decideLook(claimed, NOW, notQueued)).toBe('nothing');
  });

  it('gets a message of its own when the lease ran out', () => {
    const dead = aClaimedEmail({ worksetAt: iso(NOW), leaseUntil: iso(NOW) });
    expect(decideLook(dead, NOW, notQueued)).toEqual({
      command: { type: 'REQUEUE', why: 'nothing was heard of it for too long' },
      enqueue: 'aside',
    });
  });
});

describe('a mail whose time is over', () => {
  it.each(['SCHEDULED', 'PENDING', 'RETRY_SCHEDULED', 'SENT_ATTEMPT'] as const)('expires as %s', (status) => {
    const late = overdue({ status, expiresAt: iso(NOW), nextAttemptAt: iso(NOW + HOUR) });
    expect(decideLook(late, NOW, queued)).toEqual({ command: { type: 'EXPIRE' }, enqueue: 'no' });
    expect(decideLook({ ...late, expiresAt: iso(NOW + 1) }, NOW, queued)).not.toMatchObject({
      command: { type: 'EXPIRE' },
    });
  });
});

describe('a scheduled mail', () => {
  const scheduled = (sendAt: number) => overdue({ status: 'SCHEDULED', sendAt: iso(sendAt) });
  it('waits for its moment', () => {
    expect(decideLook(scheduled(NOW + 1), NOW, notQueued)).toBe('nothing');
  });
  it('then goes into its lane', () => {
    expect(decideLook(scheduled(NOW), NOW, notQueued)).toEqual({ command: { type: 'DUE' }, enqueue: 'lane' });
  });
});

describe('a live mail', () => {
  it('that somebody else has just moved is left alone', () => {
    expect(decideLook(overdue({ worksetAt: iso(NOW + 1) }), NOW, notQueued)).toBe('nothing');
  });

  it('that waits for its next attempt is looked at after that', () => {
    const waiting = overdue({ status: 'RETRY_SCHEDULED', nextAttemptAt: iso(NOW + HOUR), looks: 2 });
    expect(decideLook(waiting, NOW, notQueued)).toEqual(later(NOW + HOUR + 10 * MINUTE, 2));
  });

  it('but no later than at its own end', () => {
    const nearItsEnd = overdue({ nextAttemptAt: iso(NOW + HOUR), expiresAt: iso(NOW + HOUR + SECOND) });
    expect(decideLook(nearItsEnd, NOW, notQueued)).toEqual(later(NOW + HOUR + SECOND, 0));
  });

  it.each([
    [0, 20, 1],
    [1, 40, 2],
    [2, 40, 2],
    [9, 40, 2],
  ])(
    'that may wait in a long queue is looked at again (look %i: in %i minutes)',
    (looks, minutes, counted) => {
      expect(decideLook(overdue({ looks }), NOW, queued)).toEqual(later(NOW + minutes * MINUTE, counted));
    },
  );

  it.each([
    ['keeps its lane if it was never tried', 0, 'lane'],
    ['waits alone if it was', 1, 'aside'],
  ])('gets a new message if no queue explains it: %s', (_, attempts, enqueue) => {
    expect(decideLook(overdue({ attempts }), NOW, notQueued)).toMatchObject({
      command: { type: 'REQUEUE' },
      enqueue,
    });
  });
});
