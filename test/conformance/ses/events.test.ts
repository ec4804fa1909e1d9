import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../local/clock.ts';
import { aMailTo, aSimpleMail, useSes } from './ses-fixture.ts';

describe('SES events', () => {
  const ses = useSes({ region: 'sa-east-1' });

  it('reports a mail sent, then delivered, in EventBridge envelopes', async () => {
    const messageId = await ses().send({
      ...aMailTo('success@simulator.amazonses.com'),
      EmailTags: [{ Name: 'outboxId', Value: 'o-1' }],
    });
    await ses().waitForEvents(2);
    const [sent, delivered] = ses().events;
    expect(sent).toMatchObject({
      version: '0',
      'detail-type': 'Email Sent',
      source: 'aws.ses',
      account: '000000000000',
      region: 'sa-east-1',
      resources: ['arn:aws:ses:sa-east-1:000000000000:configuration-set/events'],
      detail: {
        eventType: 'Send',
        send: {},
        mail: {
          messageId,
          source: 'sender@example.com',
          destination: ['success@simulator.amazonses.com'],
          tags: {
            outboxId: ['o-1'],
            'ses:configuration-set': ['events'],
            'ses:from-domain': ['example.com'],
          },
        },
      },
    });
    expect(delivered).toMatchObject({
      'detail-type': 'Email Delivered',
      detail: {
        eventType: 'Delivery',
        delivery: { recipients: ['success@simulator.amazonses.com'] },
        mail: { messageId },
      },
    });
    expect(delivered?.id).not.toBe(sent?.id);
  });

  it('shows the headers of the mail', async () => {
    const mail = aMailTo('ana@example.com');
    mail.Content!.Simple!.Headers = [{ Name: 'X-Order', Value: '42' }];
    await ses().send(mail);
    await ses().waitForEvents(1);
    expect(ses().events[0]?.detail.mail.headers).toEqual(
      expect.arrayContaining([
        { name: 'Subject', value: 'Hello' },
        { name: 'X-Order', value: '42' },
      ]),
    );
  });

  it('is silent about a mail without a configuration set', async () => {
    await ses().send(aSimpleMail());
    const messageId = await ses().send(aMailTo('ana@example.com'));
    await ses().waitForEvents(1);
    expect(ses().events.map((event) => event.detail.mail.messageId)).toEqual([messageId]);
  });

  it('says of an ordinary address that the mail was sent, and no more: nothing leaves this machine', async () => {
    await ses().send(aMailTo('ana@example.com'));
    await ses().send(aMailTo('success@simulator.amazonses.com'));
    await ses().waitForEvents(3);
    expect(ses().eventTypes()).toEqual(['Send', 'Send', 'Delivery']);
  });

  it('publishes only what a destination of the configuration set asks for', async () => {
    ses().emulator.addConfigurationSet('bounces', ['bounce']);
    ses().emulator.addConfigurationSet('nothing', []);
    const to = 'bounce@simulator.amazonses.com';
    await ses().send({ ...aMailTo(to), ConfigurationSetName: 'nothing' });
    await ses().send({ ...aMailTo(to), ConfigurationSetName: 'bounces' });
    await ses().send(aMailTo('ana@example.com'));
    await ses().waitForEvents(2);
    expect(ses().eventTypes()).toEqual(['Bounce', 'Send']);
  });

  it.each([
    ['success', ['Send', 'Delivery']],
    ['bounce', ['Send', 'Bounce']],
    ['complaint', ['Send', 'Delivery', 'Complaint']],
    ['ooto', ['Send', 'Delivery', 'Bounce']],
    ['suppressionlist', ['Send', 'Bounce']],
    ['bounce+order-42', ['Send', 'Bounce']],
  ])('plays the simulator mailbox %s@', async (mailbox, expected) => {
    await ses().send(aMailTo(`${mailbox}@simulator.amazonses.com`));
    await ses().waitForEvents(expected.length);
    expect(ses().eventTypes()).toEqual(expected);
  });

  it.each([
    ['bounce', 'Permanent', 'General'],
    ['ooto', 'Transient', 'General'],
    ['suppressionlist', 'Permanent', 'Suppressed'],
  ])('says why mail to %s@ bounced', async (mailbox, bounceType, bounceSubType) => {
    const emailAddress = `${mailbox}@simulator.amazonses.com`;
    await ses().send(aMailTo(emailAddress));
    await expect.poll(() => ses().eventTypes()).toContain('Bounce');
    expect(ses().events.at(-1)).toMatchObject({
      'detail-type': 'Email Bounced',
      detail: { bounce: { bounceType, bounceSubType, bouncedRecipients: [{ emailAddress }] } },
    });
  });

  it('names who complained', async () => {
    await ses().send(aMailTo('complaint@simulator.amazonses.com'));
    await ses().waitForEvents(3);
    expect(ses().events[2]).toMatchObject({
      'detail-type': 'Email Complaint Received',
      detail: {
        complaint: {
          complainedRecipients: [{ emailAddress: 'complaint@simulator.amazonses.com' }],
          complaintFeedbackType: 'abuse',
        },
      },
    });
  });

  it('keeps the recipients of one mail apart', async () => {
    await ses().send(aMailTo('success@simulator.amazonses.com', 'bounce@simulator.amazonses.com'));
    await ses().waitForEvents(3);
    expect(ses().eventTypes()).toEqual(['Send', 'Delivery', 'Bounce']);
    expect(ses().events[1]?.detail.delivery).toMatchObject({
      recipients: ['success@simulator.amazonses.com'],
    });
  });

  it('drops events on demand, and sends them again after a reset', async () => {
    await ses().control('POST', 'events', { send: 'drop' });
    await ses().send(aMailTo('dropped@example.com'));
    await ses().control('DELETE', 'events');
    await ses().send(aMailTo('ana@example.com'));
    await ses().waitForEvents(1);
    expect(ses().events.map((event) => event.detail.mail.destination)).toEqual([['ana@example.com']]);
  });

  it('refuses an order about events that it does not understand', async () => {
    const { status, json } = await ses().control('POST', 'events', { send: 'sometimes' });
    expect(status).toBe(400);
    expect((json as { message: string }).message).toContain('send');
  });
});

describe('SES events with a delay', () => {
  const clock = new ManualClock();
  const ses = useSes({ clock });

  it('holds them back for as long as it was told', async () => {
    await ses().control('POST', 'events', { send: 'normal', delayMs: 60_000 });
    await ses().send(aMailTo('ana@example.com'));
    clock.advance(59_999);
    expect(ses().events).toEqual([]);
    clock.advance(1);
    expect(ses().eventTypes()).toEqual(['Send']);
  });
});
