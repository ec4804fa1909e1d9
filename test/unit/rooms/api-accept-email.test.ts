import { describe, expect, it } from 'vitest';
import { acceptEmail, type Submission } from '../../../lambdas/api/accept-email.ts';
import { parseBodyRef } from '../../../shared/domain/body.ts';
import { COMPANY_ID, OTHER_COMPANY_ID } from '../../factories/a-company.ts';
import { aKeyring } from '../../factories/a-keyring.ts';
import { aSendBody, aSendRequest } from '../../factories/a-send-request.ts';
import { iso, NOW } from '../../factories/moments.ts';
import { countingBytes } from '../../factories/random-bytes.ts';
import { MemoryBodyStore } from '../../fakes/memory-body-store.ts';
import { MemoryEmailStore } from '../../fakes/memory-email-store.ts';
import { TestClock } from '../../fakes/test-clock.ts';

function anApi() {
  const emails = new MemoryEmailStore();
  const bodies = new MemoryBodyStore();
  const clock = new TestClock();
  const ports = { emails, bodies, keyring: aKeyring(), now: clock.now, random: countingBytes() };
  const accept = (body: Record<string, unknown> = {}, more: Partial<Submission> = {}) =>
    acceptEmail(
      {
        request: aSendRequest(body),
        received: aSendBody(body),
        caller: { companyId: COMPANY_ID, mode: 'live', bulkLanes: 4 },
        requestId: 'req-1',
        ...more,
      },
      ports,
    );
  return { accept, emails, bodies, ports, clock };
}

it('puts the body first, then the mail that refers to it', async () => {
  const { accept, emails, bodies } = anApi();
  const accepted = await accept({ html: '<p>a</p>', text: 'a' });
  if (accepted.outcome !== 'accepted') throw new Error(accepted.outcome);
  const { email } = accepted;
  expect(email).toMatchObject({ status: 'PENDING', createdAt: iso(NOW), requestId: 'req-1' });
  expect(emails.find(email.outboxId)).toEqual(email);
  expect(bodies.find(email.htmlRef)).toEqual({ html: '<p>a</p>', text: 'a' });
  expect(parseBodyRef(email.htmlRef)).toMatchObject({ outboxId: email.outboxId });
  expect(bodies.puts[0]?.owner).toEqual({
    companyId: COMPANY_ID,
    outboxId: email.outboxId,
    expiresAt: email.expiresAt,
  });
});

it('writes no mail if the body could not be kept', async () => {
  const { accept, emails, bodies } = anApi();
  bodies.put = () => Promise.reject(new Error('no room'));
  await expect(accept()).rejects.toThrow('no room');
  expect(emails.all()).toEqual([]);
});

it('without anything to recognise it by, each request is a mail of its own', async () => {
  const { accept, emails } = anApi();
  await accept();
  await accept();
  expect(emails.all()).toHaveLength(2);
});

describe('the same Idempotency-Key', () => {
  it('with the same request gives the first mail again, as it is now', async () => {
    const { accept, emails, clock } = anApi();
    const first = await accept({}, { idempotencyKey: 'order-1' });
    if (first.outcome === 'conflict') throw new Error('conflict');
    await emails.save({ ...first.email, rev: 2, status: 'SENT' });
    clock.advance(1000);
    const second = await accept({}, { idempotencyKey: 'order-1', requestId: 'req-2' });
    expect(second).toMatchObject({ outcome: 'replayed', email: { status: 'SENT', requestId: 'req-1' } });
    expect(emails.all()).toHaveLength(1);
  });

  it('with another request is a conflict, and nothing changes', async () => {
    const { accept, emails } = anApi();
    await accept({ subject: 'a' }, { idempotencyKey: 'order-1' });
    const before = emails.all();
    const second = await accept({ subject: 'b' }, { idempotencyKey: 'order-1' });
    expect(second).toEqual({ outcome: 'conflict', outboxId: before[0]?.outboxId });
    expect(emails.all()).toEqual(before);
  });

  it('of another company is another key', async () => {
    const { accept, emails } = anApi();
    await accept({}, { idempotencyKey: 'order-1' });
    const caller = { companyId: OTHER_COMPANY_ID, mode: 'live', bulkLanes: 4 } as const;
    expect(await accept({}, { idempotencyKey: 'order-1', caller })).toMatchObject({ outcome: 'accepted' });
    expect(emails.all()).toHaveLength(2);
  });

  it('is compared by what was received: its order of fields does not matter, a default does not either', async () => {
    const { accept } = anApi();
    await accept({ priority: 5 }, { idempotencyKey: 'order-1' });
    const swapped = Object.fromEntries(Object.entries(aSendBody({ priority: 5 })).reverse());
    expect(await accept({ priority: 5 }, { idempotencyKey: 'order-1', received: swapped })).toMatchObject({
      outcome: 'replayed',
    });
    expect(await accept({}, { idempotencyKey: 'order-1' })).toMatchObject({ outcome: 'conflict' });
  });
});

it('the same business event is always a replay, whatever the request says and whatever the key', async () => {
  const { accept, emails } = anApi();
  const dedupe = { aggregateType: 'invoice', aggregateId: '7', eventType: 'due' };
  await accept({ dedupe, subject: 'a' }, { idempotencyKey: 'one' });
  expect(await accept({ dedupe, subject: 'b' }, { idempotencyKey: 'two' })).toMatchObject({
    outcome: 'replayed',
    email: { subject: 'a' },
  });
  expect(emails.all()).toHaveLength(1);
});
