import { describe, expect, it } from 'vitest';
import type { Email } from '../../../shared/domain/email.ts';
import { anEmail, OUTBOX_ID } from '../../factories/an-email.ts';
import { DAY, HOUR, iso, MINUTE, NOW } from '../../factories/moments.ts';
import { ses } from '../../fakes/scripted-mailer.ts';
import { SenderRoom } from '../../fakes/sender-room.ts';

describe('a redrive by an operator', () => {
  async function failedAndMoved(overrides: Partial<Email> = {}): Promise<SenderRoom> {
    const room = SenderRoom.withMessages([anEmail(overrides)], [ses.rejects]);
    for (let receive = 0; receive < 6; receive += 1) await room.invoke();
    expect(room.queues.dead).toHaveLength(1);
    return room;
  }

  it('is a new run, with a fresh day and a body that outlives it', async () => {
    const room = await failedAndMoved();
    room.clock.advance(3 * DAY);
    room.queues.redrive();
    expect(await room.invoke()).toEqual([]);
    const { status, runs, attempts, expiresAt, events } = room.emails.one(OUTBOX_ID);
    expect({ status, runs, attempts }).toEqual({ status: 'SENT', runs: 2, attempts: 1 });
    expect(expiresAt).toBe(iso(NOW + 4 * DAY));
    expect(events.map(({ type }) => type)).toContain('REDRIVEN');
    expect(room.bodies.puts).toMatchObject([{ owner: { outboxId: OUTBOX_ID, expiresAt } }]);
  });

  it('of a mail that fails again ends in the DLQ again, and can be redriven again', async () => {
    const room = SenderRoom.withMessages([anEmail()], [ses.rejects, ses.rejects]);
    for (let run = 1; run <= 2; run += 1) {
      for (let receive = 0; receive < 6; receive += 1) await room.invoke();
      expect(room.emails.one(OUTBOX_ID)).toMatchObject({ status: 'FAILED', runs: run });
      room.clock.advance(HOUR);
      room.queues.redrive();
    }
    await room.invoke();
    expect(room.emails.one(OUTBOX_ID)).toMatchObject({ status: 'SENT', runs: 3 });
  });

  it('of an OTP whose time is over: EXPIRED', async () => {
    const room = await failedAndMoved({ ttlSeconds: 600, expiresAt: iso(NOW + 10 * MINUTE) });
    room.clock.advance(HOUR);
    room.queues.redrive();
    expect(await room.invoke()).toEqual([]);
    expect(room.emails.one(OUTBOX_ID).status).toBe('EXPIRED');
    expect(room.mailer.calls).toHaveLength(1);
  });

  it('a replay of the stream after the failure is none', async () => {
    const room = await failedAndMoved();
    room.clock.advance(HOUR);
    room.enqueue(anEmail());
    expect(await room.invoke()).toEqual([]);
    expect(room.emails.one(OUTBOX_ID)).toMatchObject({ status: 'FAILED', runs: 1 });
    expect(room.mailer.calls).toHaveLength(1);
  });
});
