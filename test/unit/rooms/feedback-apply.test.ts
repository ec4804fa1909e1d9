import { beforeEach, describe, expect, it } from 'vitest';
import { applyFeedback } from '../../../lambdas/feedback/apply-feedback.ts';
import { readFeedback, type Feedback } from '../../../lambdas/feedback/ses-event.ts';
import type { Email } from '../../../shared/domain/email.ts';
import { COMPANY_ID, OTHER_COMPANY_ID } from '../../factories/a-company.ts';
import { aSesEvent } from '../../factories/a-ses-event.ts';
import { aClaimedEmail, aFailedEmail, anEmail, OUTBOX_ID } from '../../factories/an-email.ts';
import { iso, MINUTE, NOW, SECOND } from '../../factories/moments.ts';
import { MemoryEmailStore } from '../../fakes/memory-email-store.ts';
import { MemoryTenantStore } from '../../fakes/memory-tenant-store.ts';

let emails: MemoryEmailStore;
let tenants: MemoryTenantStore;

beforeEach(() => {
  tenants = new MemoryTenantStore();
});

function given(email: Email): void {
  emails = new MemoryEmailStore(email);
}

const tell = (feedback: Feedback) =>
  applyFeedback(feedback, { emails, tenants, now: () => NOW + MINUTE, retentionDays: 30 });

function feedback(detail: Record<string, unknown>): Feedback {
  const read = readFeedback(detail);
  if (!read) throw new Error('not about a mail of ours');
  return read;
}

const at = iso(NOW + SECOND);
const SENT = feedback(aSesEvent('Send'));
const DELIVERED = feedback(aSesEvent('Delivery', { delivery: { timestamp: at, recipients: [] } }));
const bounce = (address: string, bounceType = 'Permanent') =>
  feedback(
    aSesEvent('Bounce', {
      bounce: {
        timestamp: at,
        bounceType,
        bounceSubType: 'General',
        bouncedRecipients: [{ emailAddress: address }],
      },
    }),
  );
const COMPLAINED = feedback(
  aSesEvent('Complaint', {
    complaint: { timestamp: at, complainedRecipients: [{ emailAddress: 'cliente@example.com' }] },
  }),
);
const sent = (overrides: Partial<Email> = {}) =>
  anEmail({ status: 'SENT', attempts: 1, sesMessageIds: ['ses-1'], ...overrides });
const now = () => emails.one(OUTBOX_ID);
const timeline = () => now().events.map(({ type }) => type);

describe('the word that SES has the mail', () => {
  it.each([
    ['while the sender still waits for the answer', aClaimedEmail()],
    ['when it stepped aside', anEmail({ status: 'RETRY_SCHEDULED', inDoubt: true, attempts: 1 })],
    ['when it was given up', aFailedEmail()],
    ['when its time was over', anEmail({ status: 'EXPIRED', attempts: 1 })],
  ])('makes it SENT: %s', async (_, email) => {
    given(email);
    expect((await tell(SENT)).outcome).toBe('applied');
    expect(now()).toMatchObject({ status: 'SENT', sesMessageIds: ['ses-1'], sentAt: iso(NOW) });
  });

  it('is nothing new after the sender recorded it', async () => {
    given(sent());
    expect(await tell(SENT)).toEqual({ outcome: 'ignored', why: 'nothing new' });
    expect(emails.written).toEqual([]);
  });

  it('under another id is a second send: noted, and the state stays', async () => {
    given(sent({ status: 'DELIVERED' }));
    await tell(feedback(aSesEvent('Send', {}, { messageId: 'ses-2' })));
    expect(now()).toMatchObject({ status: 'DELIVERED', sesMessageIds: ['ses-1', 'ses-2'] });
    expect(now().events.at(-1)).toMatchObject({
      type: 'SENT',
      meta: { sesMessageId: 'ses-2', sentAgain: true },
    });
  });

  it.each(['PENDING', 'SCHEDULED', 'CANCELED'] as const)('comes early while it is %s', async (status) => {
    given(anEmail({ status }));
    expect(await tell(SENT)).toMatchObject({ outcome: 'early', email: { status } });
    expect(emails.written).toEqual([]);
  });
});

describe('what became of it', () => {
  it('delivered, bounced, complained: each one step', async () => {
    given(sent());
    await tell(DELIVERED);
    expect(now().status).toBe('DELIVERED');
    await tell(bounce('cliente@example.com'));
    expect(now().status).toBe('BOUNCED');
    await tell(COMPLAINED);
    expect(now().status).toBe('COMPLAINED');
    expect(timeline()).toEqual(['DELIVERED', 'BOUNCED', 'COMPLAINED']);
  });

  it('out of order: what comes late is noted, and never takes the mail back', async () => {
    given(sent());
    await tell(COMPLAINED);
    await tell(bounce('cliente@example.com'));
    await tell(DELIVERED);
    expect(now().status).toBe('COMPLAINED');
    expect(timeline()).toEqual(['COMPLAINED', 'BOUNCED', 'DELIVERED']);
  });

  it('before the word that it was sent: both at once', async () => {
    given(aClaimedEmail());
    await tell(DELIVERED);
    expect(now()).toMatchObject({ status: 'DELIVERED', sesMessageIds: ['ses-1'] });
    expect(timeline()).toEqual(['SENT', 'DELIVERED']);
    expect(await tell(SENT)).toMatchObject({ outcome: 'ignored' });
  });

  it.each([
    ['a delivery', DELIVERED],
    ['a bounce', bounce('cliente@example.com')],
    ['a complaint', COMPLAINED],
  ])('%s told twice is written once', async (_, told) => {
    given(sent());
    await tell(told);
    const writes = emails.written.length;
    expect(await tell(told)).toEqual({ outcome: 'ignored', why: 'nothing new' });
    expect(emails.written).toHaveLength(writes);
  });

  it('a transient bounce is a delay on the timeline', async () => {
    given(sent());
    await tell(bounce('cliente@example.com', 'Transient'));
    expect(now().status).toBe('SENT');
    expect(timeline()).toEqual(['DELIVERY_DELAYED']);
    expect(tenants.suppressions.size).toBe(0);
  });

  it('a bounce of copies only is no bounce of the mail', async () => {
    given(sent({ cc: ['copy@example.com'] }));
    await tell(bounce('Copy@Example.com'));
    expect(now().status).toBe('SENT');
    expect(timeline()).toEqual(['BOUNCED']);
    expect(tenants.isSuppressed(COMPANY_ID, 'copy@example.com')).toBe(true);
  });

  it('a bounce of the recipient, however spelled, is', async () => {
    given(sent());
    await tell(bounce('CLIENTE@example.com'));
    expect(now().status).toBe('BOUNCED');
  });
});

describe('the suppression list', () => {
  it('learns an address from a permanent bounce and from a complaint', async () => {
    given(sent());
    await tell(bounce('Cliente@Example.com'));
    expect([...tenants.suppressions.values()]).toEqual([
      {
        companyId: COMPANY_ID,
        address: 'cliente@example.com',
        reason: 'BOUNCE',
        outboxId: OUTBOX_ID,
        createdAt: at,
      },
    ]);
    await tell(COMPLAINED);
    expect([...tenants.suppressions.values()].map(({ reason }) => reason)).toEqual(['COMPLAINT']);
  });

  it('learns it also from an event told twice: the first telling may have died in between', async () => {
    given(sent());
    await tell(bounce('cliente@example.com'));
    tenants.suppressions.clear();
    await tell(bounce('cliente@example.com'));
    expect(tenants.suppressions.size).toBe(1);
  });
});

describe('is not believed', () => {
  it('with the tag of another company', async () => {
    given(sent({ companyId: OTHER_COMPANY_ID }));
    expect(await tell(bounce('cliente@example.com'))).toEqual({
      outcome: 'ignored',
      why: 'the mail belongs to another company',
    });
    expect(emails.written).toEqual([]);
    expect(tenants.suppressions.size).toBe(0);
  });

  it('about a mail that is not there', async () => {
    emails = new MemoryEmailStore();
    expect(await tell(SENT)).toEqual({ outcome: 'ignored', why: 'there is no such mail' });
  });
});

it('decides anew when the sender records at the same moment', async () => {
  given(aClaimedEmail());
  const read = emails.get.bind(emails);
  emails.get = async (outboxId) => {
    const email = await read(outboxId);
    await emails.save({ ...aClaimedEmail(), rev: 3, status: 'SENT', sesMessageIds: ['ses-1'] });
    return email;
  };
  await tell(DELIVERED);
  expect(now()).toMatchObject({ status: 'DELIVERED', sesMessageIds: ['ses-1'] });
});
