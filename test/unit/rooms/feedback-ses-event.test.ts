import { describe, expect, it } from 'vitest';
import { readFeedback } from '../../../lambdas/feedback/ses-event.ts';
import { COMPANY_ID } from '../../factories/a-company.ts';
import { aSesEvent, SES_MESSAGE_ID } from '../../factories/a-ses-event.ts';
import { OUTBOX_ID } from '../../factories/an-email.ts';
import { iso, NOW, SECOND } from '../../factories/moments.ts';

const about = { outboxId: OUTBOX_ID, companyId: COMPANY_ID, sesMessageId: SES_MESSAGE_ID };
const at = iso(NOW + SECOND);
const bounced = (bounceType: string) =>
  aSesEvent('Bounce', {
    bounce: {
      timestamp: at,
      bounceType,
      bounceSubType: 'General',
      bouncedRecipients: [
        { emailAddress: 'a@example.com', diagnosticCode: '550' },
        { emailAddress: 'b@example.com' },
      ],
    },
  });

describe('what SES says', () => {
  it('Send: it took the mail', () => {
    expect(readFeedback(aSesEvent('Send', { send: {} }))).toEqual({ ...about, kind: 'sent', at: iso(NOW) });
  });

  it('Delivery: the recipient’s server took it', () => {
    const delivery = { timestamp: at, recipients: ['a@example.com'], smtpResponse: '250 OK', extra: 1 };
    expect(readFeedback(aSesEvent('Delivery', { delivery }))).toEqual({
      ...about,
      kind: 'delivered',
      at,
      meta: { at, recipients: ['a@example.com'], smtpResponse: '250 OK' },
    });
  });

  it('leaves out what was not said, so that a repeated event compares equal', () => {
    const delivery = { timestamp: at, recipients: [] };
    const feedback = readFeedback(aSesEvent('Delivery', { delivery }));
    expect(feedback && 'meta' in feedback && Object.keys(feedback.meta)).toEqual(['at', 'recipients']);
  });

  it('a permanent bounce: refused, and the addresses are written to no more', () => {
    expect(readFeedback(bounced('Permanent'))).toMatchObject({
      ...about,
      kind: 'bounced',
      at,
      addresses: ['a@example.com', 'b@example.com'],
      suppress: 'BOUNCE',
      meta: { bounceType: 'Permanent', bounceSubType: 'General' },
    });
  });

  it('an undetermined bounce: refused, but no verdict on the address', () => {
    const feedback = readFeedback(bounced('Undetermined'));
    expect(feedback).toMatchObject({ kind: 'bounced' });
    expect(feedback).not.toHaveProperty('suppress');
  });

  it('a transient bounce: a full mailbox is no verdict on anything', () => {
    const feedback = readFeedback(bounced('Transient'));
    expect(feedback).toMatchObject({ kind: 'delayed', meta: { bounceType: 'Transient' } });
    expect(feedback).not.toHaveProperty('suppress');
  });

  it.each(['abuse', null, undefined])('a complaint (%j): suppressed', (complaintFeedbackType) => {
    const complaint = {
      timestamp: at,
      complainedRecipients: [{ emailAddress: 'a@example.com' }],
      complaintFeedbackType,
    };
    expect(readFeedback(aSesEvent('Complaint', { complaint }))).toMatchObject({
      kind: 'complained',
      at,
      addresses: ['a@example.com'],
      suppress: 'COMPLAINT',
    });
  });

  it('a delay', () => {
    const deliveryDelay = { timestamp: at, delayType: 'MailboxFull', delayedRecipients: [] };
    expect(readFeedback(aSesEvent('DeliveryDelay', { deliveryDelay }))).toMatchObject({
      kind: 'delayed',
      at,
      meta: { delayType: 'MailboxFull' },
    });
  });

  it('a reject, after SES took it: a bounce that is nobody’s address’s fault', () => {
    const feedback = readFeedback(aSesEvent('Reject', { reject: { reason: 'Bad content' } }));
    expect(feedback).toMatchObject({ kind: 'bounced', addresses: [], meta: { reason: 'Bad content' } });
    expect(feedback).not.toHaveProperty('suppress');
  });
});

describe('says nothing to us', () => {
  it.each([
    ['an open', aSesEvent('Open', { open: {} })],
    ['a mail without our tags', aSesEvent('Send', {}, { tags: {} })],
    ['a mail with half of them', aSesEvent('Send', {}, { tags: { outboxId: [OUTBOX_ID] } })],
    ['an empty tag', aSesEvent('Send', {}, { tags: { outboxId: [], companyId: [COMPANY_ID] } })],
    ['no event at all', { hello: 'world' }],
    ['nothing', undefined],
  ])('%s', (_, detail) => {
    expect(readFeedback(detail)).toBeUndefined();
  });
});
