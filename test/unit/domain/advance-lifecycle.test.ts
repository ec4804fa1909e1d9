import { describe, expect, it } from 'vitest';
import { advance, type Command } from '../../../shared/domain/advance.ts';
import type { Email } from '../../../shared/domain/email.ts';
import { EMAIL_STATUSES, TRANSITIONS } from '../../../shared/domain/email-state.ts';
import { aCommand } from '../../factories/a-command.ts';
import { aClaimedEmail, aFailedEmail, anEmail } from '../../factories/an-email.ts';
import { DAY, HOUR, iso, MINUTE, NOW, SECOND } from '../../factories/moments.ts';

function after(email: Email, ...commands: Command[]): Email {
  return commands.reduce((before, command) => {
    const advanced = advance(before, command, NOW);
    if (!advanced.ok) throw new Error(`${advanced.from} has no ${advanced.command}`);
    return advanced.email;
  }, email);
}

describe('an operator’s redrive', () => {
  it('starts a new run of attempts with a fresh day', () => {
    const redriven = after(aFailedEmail({ holds: 2, looks: 3, inDoubt: true }), aCommand('REDRIVE'));
    expect(redriven).toMatchObject({
      status: 'PENDING',
      attempts: 0,
      runs: 2,
      holds: 0,
      looks: 0,
      seq: 1,
      expiresAt: iso(NOW + DAY),
    });
    expect(redriven.events).toEqual([
      {
        type: 'REDRIVEN',
        at: iso(NOW),
        attempt: 5,
        meta: { run: 2, previousError: 'SES_MAIL_FROM_DOMAIN_NOT_VERIFIED' },
      },
    ]);
    for (const gone of ['failedAt', 'deadSeq', 'deadMessageId', 'purgeAt', 'inDoubt'])
      expect(redriven).not.toHaveProperty(gone);
  });

  it('never lengthens a life that the caller chose', () => {
    const expiresAt = iso(NOW + MINUTE);
    expect(after(aFailedEmail({ ttlSeconds: 600, expiresAt }), aCommand('REDRIVE')).expiresAt).toBe(
      expiresAt,
    );
  });
});

describe('the word of SES', () => {
  it('turns a mail in doubt into a sent one', () => {
    const aside = anEmail({
      status: 'RETRY_SCHEDULED',
      attempts: 1,
      inDoubt: true,
      nextAttemptAt: iso(NOW + MINUTE),
      errorCode: 'SES_TIMEOUT',
      errorReason: 'no answer',
    });
    const sent = after(aside, aCommand('CONFIRM_SENT', { sesMessageId: 'ses-7', at: iso(NOW - 3 * SECOND) }));
    expect(sent).toMatchObject({ sesMessageIds: ['ses-7'], sentAt: iso(NOW - 3 * SECOND) });
    for (const gone of ['inDoubt', 'nextAttemptAt', 'errorCode', 'errorReason'])
      expect(sent).not.toHaveProperty(gone);
  });

  it('takes a failed mail back from the dead', () => {
    const sent = after(aFailedEmail(), aCommand('CONFIRM_SENT'));
    expect(sent.status).toBe('SENT');
    for (const gone of ['failedAt', 'deadSeq', 'deadMessageId', 'worksetKey', 'worksetAt'])
      expect(sent).not.toHaveProperty(gone);
  });

  it('does not repeat a message id', () => {
    const email = aClaimedEmail({ sesMessageIds: ['ses-1'] });
    expect(after(email, aCommand('CONFIRM_SENT')).sesMessageIds).toEqual(['ses-1']);
  });

  it('only ever gets worse: delivered, bounced, complained', () => {
    const sent = anEmail({ status: 'SENT', attempts: 1 });
    const delivery = aCommand('CONFIRM_DELIVERY');
    const bounce = aCommand('CONFIRM_BOUNCE');
    const complaint = aCommand('CONFIRM_COMPLAINT');
    const all = after(sent, delivery, bounce, complaint);
    expect(all.status).toBe('COMPLAINED');
    expect(all.events).toEqual([
      { type: 'DELIVERED', at: iso(NOW), attempt: 1, meta: delivery.meta },
      { type: 'BOUNCED', at: iso(NOW), attempt: 1, meta: bounce.meta },
      { type: 'COMPLAINED', at: iso(NOW), attempt: 1, meta: complaint.meta },
    ]);
    expect(advance(after(sent, bounce), delivery, NOW).ok).toBe(false);
    expect(advance(after(sent, complaint), bounce, NOW).ok).toBe(false);
  });

  it('that changes nothing is still noted, with the id of a second send', () => {
    const sent = anEmail({ status: 'DELIVERED', sesMessageIds: ['ses-1'] });
    const noted = after(sent, aCommand('NOTE', { event: 'SENT', sesMessageId: 'ses-2' }));
    expect(noted).toMatchObject({ status: 'DELIVERED', sesMessageIds: ['ses-1', 'ses-2'] });
    expect(noted.events.map((event) => event.type)).toEqual(['SENT']);
    expect(after(sent, aCommand('NOTE')).sesMessageIds).toEqual(['ses-1']);
  });
});

it('expiry and cancellation stand on the timeline and end every wait', () => {
  const waiting = anEmail({ status: 'RETRY_SCHEDULED', nextAttemptAt: iso(NOW + MINUTE) });
  for (const [command, type] of [
    ['EXPIRE', 'EXPIRED'],
    ['CANCEL', 'CANCELED'],
  ] as const) {
    const ended = after(waiting, aCommand(command));
    expect(ended.events.map((event) => event.type)).toEqual([type]);
    expect(ended).not.toHaveProperty('nextAttemptAt');
  }
});

it('a requeued mail has a newer seq, and the next look is later', () => {
  const requeued = after(anEmail({ seq: 2, looks: 1 }), aCommand('REQUEUE', { why: 'lost' }));
  expect(requeued).toMatchObject({ seq: 3, looks: 2, worksetAt: iso(NOW + 40 * MINUTE) });
  expect(requeued.events).toEqual([{ type: 'REQUEUED', at: iso(NOW), meta: { why: 'lost', seq: 3 } }]);
});

it('a mail that is only looked at moves in the index, and its timeline is silent', () => {
  const watched = after(anEmail(), aCommand('WATCH_LATER', { until: iso(NOW + HOUR), looks: 3 }));
  expect(watched).toMatchObject({ worksetAt: iso(NOW + HOUR), looks: 3, seq: 1, events: [] });
});

describe.each(TRANSITIONS.map((t) => [t.from, t.command, t.to] as const))('%s + %s', (from, command, to) => {
  const before = anEmail({
    status: from,
    sendAt: iso(NOW),
    worksetKey: 'watch#9',
    worksetAt: iso(NOW + 3 * HOUR),
  });
  const email = after(before, aCommand(command));

  it('is purged only once it is final, 30 days on', () => {
    const final = !['SCHEDULED', 'PENDING', 'SENT_ATTEMPT', 'RETRY_SCHEDULED'].includes(to);
    expect(email.purgeAt).toBe(final ? NOW / 1000 + 30 * 86_400 : undefined);
    expect('purgeAt' in email).toBe(final);
  });

  it('stands where somebody will find it, if somebody must', () => {
    const kind = { SCHEDULED: 'due', PENDING: 'watch', SENT_ATTEMPT: 'watch', RETRY_SCHEDULED: 'watch' };
    const expected = to === 'FAILED' ? 'dead' : (kind as Partial<Record<string, string>>)[to];
    expect(email.worksetKey?.split('#')[0]).toBe(expected);
    expect('worksetAt' in email).toBe(expected !== undefined);
  });
});

it('keeps its place in the index while it lives, unless a command moves it', () => {
  const live = anEmail({ worksetAt: iso(NOW + 3 * HOUR) });
  const claimed = after(live, aCommand('CLAIM'));
  expect(claimed.worksetAt).toBe(live.worksetAt);
  expect(after(claimed, aCommand('SCHEDULE_RETRY')).worksetAt).toBe(live.worksetAt);
  expect(after(live, aCommand('WATCH_LATER', { until: iso(NOW + HOUR) })).worksetAt).toBe(iso(NOW + HOUR));
  expect(after(live, aCommand('FAIL')).worksetAt).toBe(iso(NOW));
});

it('is looked at afresh when it comes to life', () => {
  const scheduled = anEmail({ status: 'SCHEDULED', sendAt: iso(NOW), worksetAt: iso(NOW) });
  expect(after(scheduled, aCommand('DUE')).worksetAt).toBe(iso(NOW + 10 * MINUTE));
  expect(after(aFailedEmail(), aCommand('REDRIVE')).worksetAt).toBe(iso(NOW + 10 * MINUTE));
});

it('keeps as many days as the deploy says', () => {
  const sent = advance(aClaimedEmail(), aCommand('RECORD_SENT'), NOW + 1, 90);
  expect(sent).toMatchObject({ ok: true, email: { purgeAt: NOW / 1000 + 1 + 90 * 86_400 } });
});

it('knows every status', () => {
  expect(EMAIL_STATUSES.filter((status) => TRANSITIONS.every((t) => t.from !== status))).toEqual([
    'CANCELED',
  ]);
});
