import { describe, expect, it } from 'vitest';
import { useGateway, type EmailView } from './gateway.ts';

const gateway = useGateway();
const GRACE_MS = 120_000;

/** SES takes the mail, and we do not hear of it. */
async function acceptAndLoseTheAnswer(mail: object = {}, error: string | number = 'RESET'): Promise<string> {
  const to = `doubt-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await gateway().order('faults', { to, error, times: 1, afterAccept: true });
  return gateway().accept({ to, ...mail });
}

const typesOf = (mail: EmailView) => mail.events.map(({ type }) => type);

/** Long enough for anything that could still happen to it. */
async function letTimePass(): Promise<void> {
  for (let minutes = 0; minutes < 30; minutes += 5) {
    gateway().clock.jump(5 * 60_000);
    await gateway().sweep();
  }
}

describe("SES took the mail and its answer was lost; SES's own event", () => {
  it.each(['RESET', 500, 504])('comes at once (%s): SENT, and nothing is sent again', async (error) => {
    const outboxId = await acceptAndLoseTheAnswer({}, error);
    const mail = await gateway().untilStatus(outboxId, 'SENT');
    expect(mail.sesMessageId).toBe((await gateway().inboxOf(outboxId))[0]?.messageId);
    await letTimePass();
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
    expect((await gateway().view(outboxId)).status).toBe('SENT');
  });

  it('comes within the grace: SENT, and nothing is sent again', async () => {
    await gateway().order('events', { send: 'normal', delayMs: GRACE_MS - 20_000 });
    const outboxId = await acceptAndLoseTheAnswer();
    await gateway().untilStatus(outboxId, 'RETRY_SCHEDULED');
    gateway().clock.jump(GRACE_MS - 20_000);
    await gateway().untilStatus(outboxId, 'SENT');
    await letTimePass();
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
  });

  it('never comes: sent again after the grace, and the timeline says that it may be twice', async () => {
    await gateway().order('events', { send: 'drop' });
    const outboxId = await acceptAndLoseTheAnswer();
    const doubted = await gateway().untilStatus(outboxId, 'RETRY_SCHEDULED');
    expect(typesOf(doubted)).toContain('IN_DOUBT');
    const mail = await gateway().liveThrough(outboxId, 'SENT');
    expect(mail.attempts).toBe(2);
    expect(mail.events.filter(({ type }) => type === 'SENT_ATTEMPT').at(-1)?.metadata).toEqual({
      resend: true,
    });
    const [first, second] = await gateway().inboxOf(outboxId);
    const apart = Date.parse(second?.receivedAt ?? '') - Date.parse(first?.receivedAt ?? '');
    expect(apart).toBeGreaterThanOrEqual(GRACE_MS);
  });

  it('never comes, and the caller wants no second mail: FAILED, one mail', async () => {
    await gateway().order('events', { send: 'drop' });
    const outboxId = await acceptAndLoseTheAnswer({ onInDoubt: 'fail' });
    const mail = await gateway().liveThrough(outboxId, 'FAILED');
    expect(mail).toMatchObject({ errorCode: 'SES_TIMEOUT', attempts: 1 });
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
  });

  it('comes after the mail was given up: FAILED becomes SENT', async () => {
    await gateway().order('events', { send: 'normal', delayMs: 60 * 60_000 });
    const outboxId = await acceptAndLoseTheAnswer({ onInDoubt: 'fail' });
    await gateway().liveThrough(outboxId, 'FAILED');
    gateway().clock.jump(60 * 60_000);
    const mail = await gateway().untilStatus(outboxId, 'SENT');
    expect(mail).toMatchObject({ errorCode: null, failedAt: null });
    expect(typesOf(mail).slice(-2)).toEqual(['FAILED', 'SENT']);
  });

  it('comes after its time was over: EXPIRED becomes SENT', async () => {
    await gateway().order('events', { send: 'normal', delayMs: 60 * 60_000 });
    const outboxId = await acceptAndLoseTheAnswer({ ttlSeconds: 60 });
    await gateway().untilStatus(outboxId, 'RETRY_SCHEDULED');
    gateway().clock.jump(10 * 60_000);
    await gateway().sweep();
    await gateway().untilStatus(outboxId, 'EXPIRED');
    gateway().clock.jump(60 * 60_000);
    expect(typesOf(await gateway().untilStatus(outboxId, 'SENT')).slice(-2)).toEqual(['EXPIRED', 'SENT']);
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
  });

  it('tells of a second send that we took for the first', async () => {
    await gateway().order('events', { send: 'normal', delayMs: 60 * 60_000 });
    const outboxId = await acceptAndLoseTheAnswer();
    await gateway().liveThrough(outboxId, 'SENT');
    expect(await gateway().inboxOf(outboxId)).toHaveLength(2);
    gateway().clock.jump(60 * 60_000);
    const ids = (await gateway().inboxOf(outboxId)).map(({ messageId }) => messageId);
    await expect
      .poll(async () => (await gateway().item(outboxId))?.sesMessageIds.toSorted())
      .toEqual(ids.toSorted());
    expect((await gateway().view(outboxId)).events.at(-1)?.metadata).toMatchObject({ sentAgain: true });
  });
});

describe('a mail that SES does not answer at all', () => {
  it('is SENT as soon as the event says so, while the sender still waits; it stays SENT', async () => {
    const outboxId = await acceptAndLoseTheAnswer({}, 'HANG');
    await gateway().untilStatus(outboxId, 'SENT');
    const neighbour = await gateway().accept({ priority: 1 });
    await gateway().untilStatus(neighbour, 'SENT');
    // The call ends after its own 30 seconds, and the sender finds the mail further on.
    await expect.poll(() => gateway().depth('express'), { timeout: 45_000, interval: 500 }).toBe(0);
    expect(typesOf(await gateway().view(outboxId))).not.toContain('RETRY_SCHEDULED');
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
  }, 60_000);
});

describe('what SES reports later', () => {
  it.each([
    ['success', 'DELIVERED', ['SENT', 'DELIVERED']],
    ['bounce', 'BOUNCED', ['SENT', 'BOUNCED']],
    ['complaint', 'COMPLAINED', ['SENT', 'DELIVERED', 'COMPLAINED']],
    ['ooto', 'DELIVERED', ['SENT', 'DELIVERED', 'DELIVERY_DELAYED']],
  ] as const)('a mail to %s@ becomes %s', async (mailbox, status, events) => {
    const to = `${mailbox}+${crypto.randomUUID().slice(0, 8)}@simulator.amazonses.com`;
    const outboxId = await gateway().accept({ to });
    await gateway().untilStatus(outboxId, status);
    await expect
      .poll(async () => typesOf(await gateway().view(outboxId)).slice(3))
      .toEqual(expect.arrayContaining([...events]));
  });

  it('an address that bounced is not written to again', async () => {
    const to = `bounce+${crypto.randomUUID().slice(0, 8)}@simulator.amazonses.com`;
    await gateway().untilStatus(await gateway().accept({ to }), 'BOUNCED');
    const again = await gateway().accept({ to });
    expect(await gateway().untilStatus(again, 'FAILED')).toMatchObject({ errorCode: 'RECIPIENT_SUPPRESSED' });
    const copied = await gateway().accept({ to: 'ana@example.com', cc: [to] });
    const mail = await gateway().untilStatus(copied, 'SENT');
    expect(typesOf(mail)).toContain('RECIPIENT_DROPPED');
    expect((await gateway().inboxOf(copied))[0]).toMatchObject({ to: ['ana@example.com'], cc: [] });
  });
});
