import { describe, expect, it } from 'vitest';
import { decide, GRACE_MS, type Decision, type Facts } from '../../../lambdas/sender/decide.ts';
import type { Email } from '../../../shared/domain/email.ts';
import { aJob } from '../../factories/a-job.ts';
import { aMessage } from '../../factories/a-message.ts';
import { aClaimedEmail, aFailedEmail, anEmail } from '../../factories/an-email.ts';
import { DAY, HOUR, iso, MINUTE, NOW, SECOND } from '../../factories/moments.ts';

const ATTEMPT: Decision = { do: 'attempt', droppedCopies: [] };
const EXPIRE: Decision = { do: 'expire' };
const drop = (why: string): Decision => ({ do: 'drop', why });
const wait = (until: number, why: string): Decision => ({ do: 'wait', until, why });

type Row = [name: string, email: Email, decision: unknown, facts?: Partial<Facts>];

function hold(rows: Row[]): void {
  it.each(rows)('%s', (_, email, decision, facts = {}) => {
    const message = aMessage({ messageId: 'message-9', sentAt: NOW });
    const all = {
      email,
      job: aJob(),
      message,
      company: { suspended: false },
      validated: { ok: true, droppedCopies: [] } as const,
      ...facts,
    };
    expect(decide(all, NOW)).toEqual(decision);
  });
}

const suspended = { company: { suspended: true } };
const invalid = {
  validated: { ok: false, validation: 'TEMPLATE', code: 'INVALID_TEMPLATE', reason: 'no HTML' },
} as const;
const verdict = (code: string, category: string, reason: unknown = expect.any(String)) => ({
  do: 'fail',
  verdict: { code, category, reason },
});

describe('a mail that is over', () => {
  hold(
    (['SENT', 'DELIVERED', 'BOUNCED', 'COMPLAINED', 'EXPIRED', 'CANCELED', 'SCHEDULED'] as const).map(
      (status): Row => [
        status,
        anEmail({ status, expiresAt: iso(NOW) }),
        drop(`the mail is ${status}`),
        invalid,
      ],
    ),
  );
});

describe('a waiting mail', () => {
  hold([
    ['is tried', anEmail(), ATTEMPT],
    [
      'is tried again when its time has come',
      anEmail({ status: 'RETRY_SCHEDULED', nextAttemptAt: iso(NOW) }),
      ATTEMPT,
    ],
    [
      'leaves out suppressed copies',
      anEmail(),
      { do: 'attempt', droppedCopies: ['a@example.com'] },
      { validated: { ok: true, droppedCopies: ['a@example.com'] } },
    ],
    ['has a newer message', anEmail({ seq: 2 }), drop('a newer copy of this message is on its way')],
    ['takes a message newer than it knows', anEmail(), ATTEMPT, { job: aJob({ seq: 2 }) }],
    [
      'waits for its next attempt',
      anEmail({ nextAttemptAt: iso(NOW + 1) }),
      wait(NOW + 1, 'the next attempt is not due'),
    ],
    [
      'waits even if it will be too late then',
      anEmail({ nextAttemptAt: iso(NOW + HOUR), expiresAt: iso(NOW) }),
      wait(NOW + HOUR, 'the next attempt is not due'),
    ],
    ['expires at the very moment', anEmail({ expiresAt: iso(NOW) }), EXPIRE, suspended],
    ['does not expire before', anEmail({ expiresAt: iso(NOW + 1) }), ATTEMPT],
    [
      'is held with its company, invalid or not',
      anEmail(),
      { do: 'holdCompany' },
      { ...suspended, ...invalid },
    ],
    ['fails validation', anEmail(), verdict('INVALID_TEMPLATE', 'VALIDATION_ERROR', 'no HTML'), invalid],
    ['has one attempt left', anEmail({ status: 'RETRY_SCHEDULED', attempts: 4 }), ATTEMPT],
    [
      'has none left',
      anEmail({ status: 'RETRY_SCHEDULED', attempts: 5 }),
      verdict('NETWORK_ERROR', 'TIMEOUT_ERROR', 'attempt 5 ended without a record'),
    ],
  ]);
});

describe('a mail that another sender claimed', () => {
  const claimed = (ago: number, more: Partial<Email> = {}) =>
    aClaimedEmail({ claimedAt: iso(NOW - ago), leaseUntil: iso(NOW - ago + 70 * SECOND), ...more });
  hold([
    ['is waited for', claimed(0), wait(NOW + 70 * SECOND, 'another sender has the mail')],
    [
      'even past its own end',
      claimed(SECOND, { expiresAt: iso(NOW) }),
      wait(NOW + 69 * SECOND, 'another sender has the mail'),
    ],
    [
      'and then for the word of SES',
      claimed(70 * SECOND),
      wait(NOW + 50 * SECOND, 'an attempt ended without a record; SES may have the mail'),
    ],
    ['is tried again after the grace', claimed(GRACE_MS), ATTEMPT],
    [
      'is not tried again if the caller said so',
      claimed(GRACE_MS, { onInDoubt: 'fail' }),
      verdict('SES_TIMEOUT', 'TIMEOUT_ERROR'),
    ],
    ['has no attempt left', claimed(GRACE_MS, { attempts: 5 }), verdict('NETWORK_ERROR', 'TIMEOUT_ERROR')],
    ['is over', claimed(GRACE_MS, { onInDoubt: 'fail', expiresAt: iso(NOW) }), EXPIRE],
    ['waits with its company', claimed(GRACE_MS, { onInDoubt: 'fail' }), { do: 'holdCompany' }, suspended],
    [
      'waits as long as it was held',
      claimed(GRACE_MS, { nextAttemptAt: iso(NOW + HOUR) }),
      wait(NOW + HOUR, 'the next attempt is not due'),
    ],
    ['has a newer message', claimed(0, { seq: 2 }), drop('a newer copy of this message is on its way')],
  ]);
});

describe('a mail that stepped aside', () => {
  const aside = (more: Partial<Email> = {}) =>
    anEmail({ status: 'RETRY_SCHEDULED', attempts: 1, inDoubt: true, ...more });
  hold([
    ['is sent again', aside(), ATTEMPT],
    ['is not if the caller said so', aside({ onInDoubt: 'fail' }), verdict('SES_TIMEOUT', 'TIMEOUT_ERROR')],
    [
      'but not before the grace is over',
      aside({ onInDoubt: 'fail', nextAttemptAt: iso(NOW + SECOND) }),
      wait(NOW + SECOND, 'the next attempt is not due'),
    ],
  ]);
});

describe('a dead mail', () => {
  const dead = (more: Partial<Email> = {}) => aFailedEmail({ deadEnqueuedAt: aJob().enqueuedAt, ...more });
  const same = { message: aMessage({ messageId: 'message-1' }) };
  hold([
    ['lets its own message through to the DLQ', dead(), { do: 'passThrough' }, same],
    ['starts anew when an operator moves it back', dead(), { do: 'redrive' }],
    ['knows no words of a message written before it kept them', aFailedEmail(), { do: 'redrive' }],
    ['starts anew although its company is suspended', dead(), { do: 'redrive' }, suspended],
    [
      'drops an old copy',
      dead(),
      drop('the mail is FAILED'),
      { message: aMessage({ messageId: 'message-9', sentAt: NOW - HOUR }) },
    ],
    ['drops another seq', dead(), drop('the mail is FAILED'), { job: aJob({ seq: 2 }), ...same }],
    [
      'drops a replay of the stream: the same seq in other words',
      dead(),
      drop('the mail is FAILED'),
      { job: aJob({ enqueuedAt: iso(NOW + SECOND) }) },
    ],
    ['gets a fresh day, if the caller gave it none', dead({ expiresAt: iso(NOW - DAY) }), { do: 'redrive' }],
    [
      'is never resurrected after a time that the caller chose',
      dead({ ttlSeconds: 60, expiresAt: iso(NOW) }),
      EXPIRE,
    ],
    ['is, within it', dead({ ttlSeconds: 86_400, expiresAt: iso(NOW + MINUTE) }), { do: 'redrive' }],
  ]);
});
