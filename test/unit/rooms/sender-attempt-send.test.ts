import { describe, expect, it } from 'vitest';
import { attemptSend } from '../../../lambdas/sender/attempt-send.ts';
import type { SenderPorts } from '../../../lambdas/sender/ports.ts';
import type { Email } from '../../../shared/domain/email.ts';
import { jobFromEmail } from '../../../shared/domain/job-from-email.ts';
import { asideGroup } from '../../../shared/domain/lanes.ts';
import { aCompany, COMPANY_ID } from '../../factories/a-company.ts';
import { aClaimedEmail, OUTBOX_ID } from '../../factories/an-email.ts';
import { iso, MINUTE, NOW, SECOND } from '../../factories/moments.ts';
import { ses, type SesOutcome } from '../../fakes/scripted-mailer.ts';
import { SenderRoom } from '../../fakes/sender-room.ts';
import { serviceError } from '../../fakes/service-error.ts';

interface Given {
  readonly email?: Partial<Email>;
  readonly script?: SesOutcome[];
  readonly then?: SesOutcome;
  readonly ports?: (room: SenderRoom) => Partial<SenderPorts>;
  readonly droppedCopies?: readonly string[];
  readonly company?: { from: string };
}

/** One attempt for a mail that was just claimed. */
async function attempt(given: Given) {
  const email = aClaimedEmail(given.email);
  const room = new SenderRoom([email], given.script, given.then);
  room.enqueue(email);
  const [message] = room.receive();
  if (!message) throw new Error('no message');
  const claimed = {
    email,
    message,
    job: jobFromEmail(email, NOW),
    startedAt: NOW - 200,
    droppedCopies: given.droppedCopies ?? [],
  };
  const content = { body: { html: '<p>a</p>', text: 'a' }, company: aCompany(given.company) };
  const end = await attemptSend(claimed, content, room.ports(given.ports?.(room))).catch(
    (error: Error) => error.message,
  );
  return { end, room, mail: () => room.emails.one(OUTBOX_ID), message: room.queues.all()[0] };
}

describe('SES takes the mail', () => {
  it('and it is SENT, with what it took', async () => {
    const { end, mail, room } = await attempt({});
    expect(end).toBe('done');
    expect(mail()).toMatchObject({
      status: 'SENT',
      sesMessageIds: ['ses-1'],
      durationMs: 200,
      sentAt: iso(NOW),
    });
    expect(room.lines).toMatchObject([{ message: 'mail is SENT', more: { sesMessageId: 'ses-1' } }]);
  });

  it('with everything the caller said, our tags and no suppressed copies', async () => {
    const { room } = await attempt({
      email: {
        attempts: 2,
        cc: ['a@example.com', 'b@example.com'],
        bcc: ['c@example.com'],
        replyTo: 'reply@example.com',
        headers: { 'X-Order': '7' },
      },
      droppedCopies: ['b@example.com', 'c@example.com'],
    });
    expect(room.mailer.calls).toEqual([
      {
        from: 'no-reply@gateway.example',
        to: 'cliente@example.com',
        cc: ['a@example.com'],
        bcc: [],
        replyTo: 'reply@example.com',
        subject: 'Seu boleto está disponível',
        body: { html: '<p>a</p>', text: 'a' },
        headers: { 'X-Order': '7' },
        tags: { outboxId: OUTBOX_ID, companyId: COMPANY_ID, attempt: '2' },
      },
    ]);
  });

  it('from the company’s own address, if it has one', async () => {
    const { room } = await attempt({ company: { from: 'ola@padaria.example' } });
    expect(room.mailer.calls[0]?.from).toBe('ola@padaria.example');
  });

  it('unless it is a test key’s', async () => {
    const { room, mail } = await attempt({ email: { mode: 'test' } });
    expect(room.mailer.calls).toEqual([]);
    expect(room.testMailer.calls).toHaveLength(1);
    expect(mail().status).toBe('SENT');
  });

  it('and the word of SES was faster than the answer: a success', async () => {
    const { end, mail } = await attempt({
      ports: (room) => ({
        mailer: {
          send: async (outgoing) => {
            await room.emails.save({
              ...aClaimedEmail(),
              rev: 3,
              status: 'DELIVERED',
              sesMessageIds: ['ses-1'],
            });
            return room.mailer.send(outgoing);
          },
        },
      }),
    });
    expect(end).toBe('done');
    expect(mail()).toMatchObject({ status: 'DELIVERED', rev: 3 });
  });
});

describe('the record fails', () => {
  const failing = (times: number) => (room: SenderRoom) => ({
    emails: {
      insert: () => Promise.reject(new Error()),
      get: (id: string) => room.emails.get(id),
      save: (email: Email) =>
        (times -= 1) >= 0 ? Promise.reject(serviceError('InternalServerError')) : room.emails.save(email),
    },
  });

  it('twice: it is tried again, and SES is not called a second time', async () => {
    const { end, mail, room } = await attempt({ ports: failing(2) });
    expect(end).toBe('done');
    expect(mail().status).toBe('SENT');
    expect(room.mailer.calls).toHaveLength(1);
    expect(room.clock.slept).toEqual([500, 1000]);
  });

  it('for good: that is never a verdict on the mail', async () => {
    const { end, mail } = await attempt({ ports: failing(3) });
    expect(end).toBe('InternalServerError');
    expect(mail()).toMatchObject({ status: 'SENT_ATTEMPT', rev: 2 });
  });

  /** The write took effect, and we were told that it failed. */
  const lost = (room: SenderRoom) => {
    let first = true;
    return {
      emails: {
        insert: () => Promise.reject(new Error()),
        get: (id: string) => room.emails.get(id),
        save: async (email: Email) => {
          const saved = await room.emails.save(email);
          if (!first) return saved;
          first = false;
          throw serviceError('TimeoutError');
        },
      },
    };
  };

  it('only seemingly, after a permanent failure: the message still goes to the DLQ', async () => {
    const { end, mail, message } = await attempt({ script: [ses.rejects], ports: lost });
    expect(end).toBe('keep');
    expect(mail()).toMatchObject({ status: 'FAILED', rev: 3, deadMessageId: 'message-1' });
    expect(message?.visibleAt).toBe(NOW + 500);
  });

  it('only seemingly, after a refusal: the message stays in its lane', async () => {
    const { end, mail, message } = await attempt({ script: [ses.unavailable], ports: lost });
    expect(end).toBe('keep');
    expect(mail()).toMatchObject({ status: 'RETRY_SCHEDULED', rev: 3 });
    expect(message?.visibleAt).toBe(NOW + 500 + SECOND);
  });

  it('only seemingly, after it was sent', async () => {
    const { end, mail } = await attempt({ ports: lost });
    expect(end).toBe('done');
    expect(mail()).toMatchObject({ status: 'SENT', rev: 3 });
  });
});

describe('SES refuses the mail', () => {
  it.each([
    ['rejects', 'SES_MESSAGE_REJECTED'],
    ['misconfigured', 'SES_CONFIGURATION_SET_DOES_NOT_EXIST'],
  ] as const)('%s: FAILED, and its message goes to the DLQ at once', async (outcome, code) => {
    const { end, mail, message } = await attempt({ script: [ses[outcome]] });
    expect(end).toBe('keep');
    expect(mail()).toMatchObject({
      status: 'FAILED',
      errorCode: code,
      deadSeq: 1,
      deadMessageId: 'message-1',
      deadEnqueuedAt: iso(NOW),
    });
    expect(mail().events.map(({ type }) => type)).toEqual(['FAILED']);
    expect(message?.visibleAt).toBe(NOW);
  });

  it('and the message cannot be made visible: it is kept all the same', async () => {
    const held = { hide: () => Promise.reject(serviceError('Down')), copy: () => Promise.resolve() };
    const { end, mail } = await attempt({ script: [ses.rejects], ports: () => ({ held }) });
    expect(end).toBe('keep');
    expect(mail().status).toBe('FAILED');
  });
});

describe('SES cannot at the moment', () => {
  it.each([
    [1, 1],
    [2, 5],
    [3, 30],
    [4, 120],
  ])('after attempt %i the lane waits %i s', async (attempts, seconds) => {
    const { end, mail, message } = await attempt({ email: { attempts }, script: [ses.unavailable] });
    expect(end).toBe('keep');
    expect(mail()).toMatchObject({
      status: 'RETRY_SCHEDULED',
      attempts,
      seq: 1,
      nextAttemptAt: iso(NOW + seconds * SECOND),
      errorCode: 'SES_SERVICE_UNAVAILABLE',
    });
    expect(message?.visibleAt).toBe(NOW + seconds * SECOND);
  });

  it('nor at the fifth attempt: FAILED', async () => {
    const { end, mail } = await attempt({ email: { attempts: 5 }, script: [ses.unavailable] });
    expect(end).toBe('keep');
    expect(mail()).toMatchObject({ status: 'FAILED', errorCode: 'SES_SERVICE_UNAVAILABLE' });
    expect(mail().events.map(({ type }) => type)).toEqual(['FAILED']);
  });

  it('be reached at all: SES cannot have the mail, so nothing is in doubt', async () => {
    const { mail } = await attempt({ script: [ses.unreachable] });
    expect(mail()).toMatchObject({ status: 'RETRY_SCHEDULED', errorCode: 'NETWORK_ERROR', seq: 1 });
    expect(mail()).not.toHaveProperty('inDoubt');
  });

  it.each([
    ['dailyQuota', 0, 15],
    ['pauses', 1, 30],
    ['dailyQuota', 9, 60],
  ] as const)(
    '%s: after %i holds the lane waits %i min, and no attempt is counted',
    async (outcome, holds, min) => {
      const { end, mail, message } = await attempt({ email: { attempts: 5, holds }, script: [ses[outcome]] });
      expect(end).toBe('keep');
      expect(mail()).toMatchObject({ status: 'RETRY_SCHEDULED', attempts: 4, holds: holds + 1 });
      expect(message?.visibleAt).toBe(NOW + min * MINUTE);
    },
  );
});

describe('SES is too busy', () => {
  it('for a moment: waited out here', async () => {
    const { end, mail, room } = await attempt({ script: [ses.throttles, ses.throttles, ses.throttles] });
    expect(end).toBe('done');
    expect(mail()).toMatchObject({ status: 'SENT', attempts: 1 });
    expect(room.clock.slept).toEqual([200, 400, 800]);
  });

  it('for longer than 20 s: a counted attempt that holds the lane', async () => {
    const { end, mail, room } = await attempt({ then: ses.throttles });
    expect(end).toBe('keep');
    expect(room.clock.now() - NOW).toBeLessThanOrEqual(20 * SECOND);
    expect(room.clock.now() - NOW).toBeGreaterThan(15 * SECOND);
    expect(mail()).toMatchObject({
      status: 'RETRY_SCHEDULED',
      attempts: 1,
      errorCode: 'SES_MAX_SEND_RATE_EXCEEDED',
    });
  });

  it('and the function has no time left for one more call', async () => {
    const { room, mail } = await attempt({
      then: ses.throttles,
      ports: () => ({ remainingMs: () => 33_199 }),
    });
    expect(room.mailer.calls).toHaveLength(1);
    expect(mail().status).toBe('RETRY_SCHEDULED');
  });

  it('until the mail is over: SES is not called at or after its end', async () => {
    const { end, mail, room } = await attempt({
      email: { expiresAt: iso(NOW + 3 * SECOND) },
      then: ses.throttles,
    });
    expect(end).toBe('done');
    expect(mail().status).toBe('EXPIRED');
    expect(room.mailer.calls).toHaveLength(4);
  });

  it('no call at all, if the claim took until the end', async () => {
    const { end, mail, room } = await attempt({ email: { expiresAt: iso(NOW) } });
    expect(end).toBe('done');
    expect(room.mailer.calls).toEqual([]);
    expect(mail().status).toBe('EXPIRED');
  });
});

describe('SES does not answer', () => {
  it.each(['timesOut', 'acceptsThenTimesOut', 'acceptsThenResets'] as const)(
    '%s: in doubt, it steps aside and delays nobody',
    async (outcome) => {
      const { end, mail, room } = await attempt({ script: [ses[outcome]] });
      expect(end).toBe('done');
      expect(mail()).toMatchObject({
        status: 'RETRY_SCHEDULED',
        inDoubt: true,
        seq: 2,
        nextAttemptAt: iso(NOW + 120 * SECOND),
      });
      expect(room.queues.all()[1]).toMatchObject({ group: asideGroup(COMPANY_ID, OUTBOX_ID) });
    },
  );

  it('waits longer than the grace where the backoff says so', async () => {
    const { mail } = await attempt({
      email: { attempts: 4 },
      script: [ses.timesOut],
      ports: () => ({ random: () => 0.999 }),
    });
    expect(Date.parse(mail().nextAttemptAt ?? '') - NOW).toBeGreaterThan(145 * SECOND);
  });

  it('at the fifth attempt: FAILED, and the timeline admits the doubt', async () => {
    const { end, mail } = await attempt({ email: { attempts: 5 }, script: [ses.acceptsThenTimesOut] });
    expect(end).toBe('keep');
    expect(mail()).toMatchObject({ status: 'FAILED', errorCode: 'SES_TIMEOUT' });
    expect(mail().events.map(({ type }) => type)).toEqual(['IN_DOUBT', 'FAILED']);
  });
});

describe('another sender has claimed the mail since', () => {
  const stolen = (room: SenderRoom) => ({
    mailer: {
      send: async (outgoing: Parameters<typeof room.mailer.send>[0]) => {
        await room.emails.save(aClaimedEmail({ rev: 3, attempts: 2, claimedAt: iso(NOW) }));
        return room.mailer.send(outgoing);
      },
    },
  });

  it.each(['rejects', 'unavailable', 'timesOut'] as const)(
    'what SES said to us (%s) is no verdict on its attempt, and the message stays',
    async (outcome) => {
      const { end, mail, room } = await attempt({ script: [ses[outcome]], ports: stolen });
      expect(end).toBe('keep');
      expect(mail()).toMatchObject({ status: 'SENT_ATTEMPT', rev: 3, attempts: 2 });
      expect(room.queues.all()).toHaveLength(1);
    },
  );
});

it('a mail that was purged meanwhile needs its message no more', async () => {
  const { end } = await attempt({
    script: [ses.rejects],
    ports: (room) => ({
      emails: {
        insert: () => Promise.reject(new Error()),
        get: (id) => room.emails.get(id),
        save: () => Promise.resolve({ saved: false, current: undefined }),
      },
    }),
  });
  expect(end).toBe('done');
});
