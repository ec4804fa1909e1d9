import { describe, expect, it } from 'vitest';
import type { Problem } from '../../shared/domain/api-errors.ts';
import { acceptAndLose, until, useGateway, type EmailView } from './gateway.ts';

const gateway = useGateway();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const inFuture = (ms: number) => new Date(gateway().clock.now() + ms).toISOString();
const cancel = (outboxId: string, key?: string) =>
  gateway().request<EmailView>(`/v1/emails/${outboxId}`, {
    method: 'DELETE',
    ...(key !== undefined && { key }),
  });

describe('a scheduled mail', () => {
  it('waits for its time, up to 30 days, and is then sent', async () => {
    const sendAt = inFuture(29 * DAY);
    const outboxId = await gateway().accept({ sendAt });
    expect(await gateway().view(outboxId)).toMatchObject({ status: 'SCHEDULED', sendAt });
    gateway().clock.jump(29 * DAY - HOUR);
    await gateway().sweep();
    expect(await gateway().view(outboxId)).toMatchObject({ status: 'SCHEDULED', events: [] });
    gateway().clock.jump(HOUR);
    await gateway().sweep();
    const mail = await gateway().untilStatus(outboxId, 'SENT');
    expect(mail.events[0]?.type).toBe('DUE');
    const [received] = await gateway().inboxOf(outboxId);
    expect(Date.parse(received?.receivedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(sendAt));
  });

  it('lives 24 hours from its time, not from its acceptance', async () => {
    const outboxId = await gateway().accept({ sendAt: inFuture(3 * DAY), ttlSeconds: 600 });
    const { sendAt, expiresAt } = await gateway().view(outboxId);
    expect(Date.parse(expiresAt) - Date.parse(sendAt ?? '')).toBe(600_000);
  });

  it('is refused if its time is long past or too far ahead; a little past means now', async () => {
    const post = (sendAt: string) =>
      gateway().post<Problem>({ to: 'ana@example.com', subject: 's', html: '<p>x</p>', sendAt });
    for (const sendAt of [inFuture(-10 * 60_000), inFuture(31 * DAY)]) {
      expect(await post(sendAt)).toMatchObject({ status: 422, body: { errors: [{ pointer: '/sendAt' }] } });
    }
    const outboxId = await gateway().accept({ sendAt: inFuture(-60_000) });
    await gateway().untilStatus(outboxId, 'SENT');
  });
});

describe('a mail whose time is over', () => {
  it('is EXPIRED, not sent, when the sender gets to it too late', async () => {
    gateway().local.host.intercept(async ({ functionName, run }) => {
      if (functionName === gateway().functionOf('sender')) gateway().clock.jump(2 * 60_000);
      return run();
    });
    const outboxId = await gateway().accept({ ttlSeconds: 60 });
    const mail = await gateway().untilStatus(outboxId, 'EXPIRED');
    gateway().local.host.intercept(undefined);
    expect(mail.attempts).toBe(0);
    expect(await gateway().inboxOf(outboxId)).toEqual([]);
  });

  it('is EXPIRED by the sweeper if no message ever comes', async () => {
    const outboxId = await acceptAndLose(gateway(), 'relay', { ttlSeconds: 60 });
    gateway().clock.jump(11 * 60_000);
    await gateway().sweep();
    await gateway().untilStatus(outboxId, 'EXPIRED');
    expect(await gateway().inboxOf(outboxId)).toEqual([]);
  });
});

describe('a mail is canceled', () => {
  it('before its time: CANCELED, never sent, and canceling again changes nothing', async () => {
    const outboxId = await gateway().accept({ sendAt: inFuture(HOUR) });
    const answer = await cancel(outboxId);
    expect(answer).toMatchObject({ status: 200, body: { status: 'CANCELED' } });
    expect((await cancel(outboxId)).body.events).toEqual(answer.body.events);
    gateway().clock.jump(2 * HOUR);
    await gateway().sweep();
    expect((await gateway().view(outboxId)).status).toBe('CANCELED');
    expect(await gateway().inboxOf(outboxId)).toEqual([]);
  });

  it('while it waits for its next attempt', async () => {
    const to = 'held@example.com';
    await gateway().order('faults', { to, error: 'SendingPausedException', times: -1 });
    const outboxId = await gateway().accept({ to });
    await gateway().untilStatus(outboxId, 'RETRY_SCHEDULED');
    expect((await cancel(outboxId)).status).toBe(200);
    await gateway().calmDown();
    gateway().clock.jump(HOUR);
    await until(
      () => gateway().depth('express'),
      (depth) => depth === 0,
    );
    expect(await gateway().inboxOf(outboxId)).toEqual([]);
  });

  it('not once SES has it, or may have it', async () => {
    const sent = await gateway().accept();
    await gateway().untilStatus(sent, 'SENT');
    expect(await cancel(sent)).toMatchObject({
      status: 409,
      body: { code: 'NOT_CANCELABLE', detail: 'It is SENT.' },
    });

    const to = 'doubt@example.com';
    await gateway().order('events', { send: 'drop' });
    await gateway().order('faults', { to, error: 'RESET', times: -1 });
    const inDoubt = await gateway().accept({ to });
    await gateway().untilStatus(inDoubt, 'RETRY_SCHEDULED');
    expect(await cancel(inDoubt)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('doubt') },
    });
  });

  it("not another tenant's", async () => {
    const outboxId = await gateway().accept({ sendAt: inFuture(HOUR) });
    expect((await cancel(outboxId, gateway().local.ready.apiKeys.other)).status).toBe(404);
    expect((await gateway().view(outboxId)).status).toBe('SCHEDULED');
  });
});

describe('a company is suspended', () => {
  it('its accepted mails wait, uncounted, and go out when it may send again', async () => {
    const tenants = gateway().tenants();
    const companyId = gateway().local.ready.companies.other;
    const company = await tenants.getCompany(companyId);
    if (!company) throw new Error('the seed has no other company');
    const key = gateway().local.ready.apiKeys.other;
    const scheduled = await gateway().accept({ sendAt: inFuture(2 * 60_000) }, {}, key);
    await tenants.putCompany({ ...company, suspended: true });
    gateway().clock.jump(3 * 60_000); // past the minute for which rooms remember a company
    await gateway().sweep();
    const held = await until(
      () => gateway().item(scheduled),
      (mail) => mail?.errorCode === 'COMPANY_SUSPENDED',
    );
    expect(held).toMatchObject({ status: 'PENDING', attempts: 0 });
    await tenants.putCompany(company);
    gateway().clock.jump(16 * 60_000);
    await until(
      () => gateway().item(scheduled),
      (mail) => mail?.status === 'SENT',
    );
  });
});
