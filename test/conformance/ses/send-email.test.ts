import { GetAccountCommand, ListEmailIdentitiesCommand } from '@aws-sdk/client-sesv2';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../local/clock.ts';
import { aSimpleMail, useSes } from './ses-fixture.ts';

const clock = new ManualClock(Date.parse('2026-03-01T12:00:00Z'));

describe('SES SendEmail', () => {
  const ses = useSes({ clock });

  it('answers with a message id, another one for each mail', async () => {
    const ids = [await ses().send(), await ses().send()];
    expect(ids[0]).toMatch(/^0100[0-9a-f]{12}-[0-9a-f-]{36}-000000$/);
    expect(ids[1]).not.toBe(ids[0]);
  });

  it('keeps everything about a mail in the inbox', async () => {
    const messageId = await ses().send({
      FromEmailAddress: 'Shop <sender@example.com>',
      Destination: {
        ToAddresses: ['Ana <ana@example.com>'],
        CcAddresses: ['cc@example.com'],
        BccAddresses: ['bcc@example.com'],
      },
      ReplyToAddresses: ['reply@example.com'],
      Content: {
        Simple: {
          Subject: { Data: 'Olá', Charset: 'UTF-8' },
          Body: {
            Html: { Data: '<p>ação</p>', Charset: 'UTF-8' },
            Text: { Data: 'ação', Charset: 'UTF-8' },
          },
          Headers: [{ Name: 'X-Order', Value: '42' }],
        },
      },
      EmailTags: [{ Name: 'outboxId', Value: 'o-1' }],
      ConfigurationSetName: 'events',
    });
    expect(await ses().inbox()).toEqual([
      {
        messageId,
        receivedAt: '2026-03-01T12:00:00.000Z',
        from: 'Shop <sender@example.com>',
        to: ['Ana <ana@example.com>'],
        cc: ['cc@example.com'],
        bcc: ['bcc@example.com'],
        replyTo: ['reply@example.com'],
        subject: 'Olá',
        html: '<p>ação</p>',
        text: 'ação',
        headers: { 'X-Order': '42' },
        tags: { outboxId: 'o-1' },
        configurationSet: 'events',
      },
    ]);
  });

  it('turns what is not ASCII into question marks when no charset is given', async () => {
    const Body = { Text: { Data: 'ação 🎉' } };
    await ses().send(aSimpleMail({ Content: { Simple: { Subject: { Data: 'Olá' }, Body } } }));
    expect((await ses().inbox())[0]).toMatchObject({ subject: 'Ol?', text: 'a??o ?', html: null });
  });

  it('takes the recipients of a raw mail from its headers', async () => {
    const raw = 'From: sender@example.com\r\nTo: "Silva, Ana" <ana@example.com>,\r\n bo@example.com\r\n';
    const Data = Buffer.from(`${raw}subject: Raw\r\nContent-Type: text/html\r\n\r\n<p>Hi</p>`);
    await ses().send({ Content: { Raw: { Data } } });
    expect((await ses().inbox())[0]).toMatchObject({
      from: 'sender@example.com',
      to: ['"Silva, Ana" <ana@example.com>', 'bo@example.com'],
      subject: 'Raw',
      html: '<p>Hi</p>',
      text: null,
    });
  });

  it('prefers the destination of the request to the headers of a raw mail', async () => {
    const Data = Buffer.from('From: sender@example.com\nTo: ana@example.com\nCc: bo@example.com\n\nHi');
    await ses().send({ Destination: { ToAddresses: ['eva@example.com'] }, Content: { Raw: { Data } } });
    expect((await ses().inbox())[0]).toMatchObject({ to: ['eva@example.com'], cc: [], text: 'Hi' });
  });

  it('accepts 50 recipients', async () => {
    const ToAddresses = Array.from({ length: 50 }, (_, i) => `user${i}@example.com`);
    await ses().send(aSimpleMail({ Destination: { ToAddresses } }));
    expect((await ses().inbox())[0]?.to).toEqual(ToAddresses);
  });

  it('accepts a configuration set that was added later', async () => {
    const mail = aSimpleMail({ ConfigurationSetName: 'later' });
    await expect(ses().send(mail)).rejects.toMatchObject({ name: 'NotFoundException' });
    ses().emulator.addConfigurationSet('later', []);
    await expect(ses().send(mail)).resolves.toBeDefined();
  });

  it('refuses an operation it does not have', async () => {
    await expect(ses().client.send(new ListEmailIdentitiesCommand())).rejects.toMatchObject({
      name: 'UnknownOperationException',
      message: expect.stringContaining('POST /v2/email/list-identities') as string,
      $metadata: { httpStatusCode: 404 },
    });
  });
});

describe('SES GetAccount', () => {
  const ses = useSes({ clock, sendQuota: { max24HourSend: 1000, maxSendRate: 25 } });

  it('reports the quota and what counts against it', async () => {
    await ses().send(aSimpleMail({ Destination: { ToAddresses: ['a@x.org'], BccAddresses: ['b@x.org'] } }));
    expect(await ses().client.send(new GetAccountCommand())).toMatchObject({
      SendQuota: { Max24HourSend: 1000, MaxSendRate: 25, SentLast24Hours: 2 },
      SendingEnabled: true,
      ProductionAccessEnabled: true,
    });
  });

  it('remembers what was sent over a restart and forgets it after a day', async () => {
    await ses().send();
    const sentLast24Hours = async () =>
      (await ses().client.send(new GetAccountCommand())).SendQuota?.SentLast24Hours;
    await ses().restart({ clock });
    expect(await sentLast24Hours()).toBe(1);
    clock.advance(24 * 3600_000 + 60_000);
    expect(await sentLast24Hours()).toBe(0);
  });
});
