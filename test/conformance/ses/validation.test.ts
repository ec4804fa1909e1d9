import type { SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { describe, expect, it } from 'vitest';
import { aSimpleMail, useSes } from './ses-fixture.ts';

const subject = { Data: 'Hello', Charset: 'UTF-8' };
const html = { Data: '<p>Hello</p>', Charset: 'UTF-8' };

function withHeaders(...Headers: { Name: string; Value: string }[]): SendEmailCommandInput {
  return aSimpleMail({ Content: { Simple: { Subject: subject, Body: { Html: html }, Headers } } });
}

function withTag(Name: string, Value: string): SendEmailCommandInput {
  return aSimpleMail({ EmailTags: [{ Name, Value }] });
}

function to(...ToAddresses: string[]): SendEmailCommandInput {
  return aSimpleMail({ Destination: { ToAddresses } });
}

describe('SES refuses', () => {
  const ses = useSes();

  async function expectRefusal(
    mail: SendEmailCommandInput,
    message: string,
    [name, httpStatusCode]: [string, number] = ['BadRequestException', 400],
  ): Promise<void> {
    await expect(ses().send(mail)).rejects.toMatchObject({
      name,
      message: expect.stringContaining(message) as string,
      $metadata: { httpStatusCode },
    });
    expect(await ses().inbox()).toEqual([]);
  }

  it('a mail without a sender', () =>
    expectRefusal(aSimpleMail({ FromEmailAddress: undefined }), 'FromEmailAddress is missing.'));

  it('a mail without recipients', () => expectRefusal(to(), 'no recipients'));

  it('an address without a domain', () => expectRefusal(to('ana'), "Missing final '@domain'"));

  it('an address with a space in it', () =>
    expectRefusal(to('a na@example.com'), 'Local address contains control or whitespace'));

  it('a domain with a space in it', () =>
    expectRefusal(to('ana@exam ple.com'), 'Domain contains control or whitespace'));

  it('a display name with a line break in it', () =>
    expectRefusal(to('Ana\r\nBcc: eve@example.com <ana@example.com>'), 'line break'));

  it('a domain that cannot exist', () => expectRefusal(to('ana@-example..com'), 'Illegal address'));

  it('a local part that is not ASCII', () => expectRefusal(to('anã@example.com'), 'Illegal address'));

  it('a malformed sender', () =>
    expectRefusal(aSimpleMail({ FromEmailAddress: 'Shop <shop>' }), "Missing final '@domain'"));

  it('a malformed reply-to', () =>
    expectRefusal(aSimpleMail({ ReplyToAddresses: ['nobody'] }), "Missing final '@domain'"));

  it('one bad recipient among good ones, and with it the whole mail', () =>
    expectRefusal(to('ana@example.com', 'bo'), "Missing final '@domain'"));

  it('more than 50 recipients, cc and bcc included', () => {
    const many = Array.from({ length: 49 }, (_, i) => `user${i}@example.com`);
    const Destination = { ToAddresses: many, CcAddresses: ['cc@x.org'], BccAddresses: ['bcc@x.org'] };
    return expectRefusal(aSimpleMail({ Destination }), 'Recipient count exceeds 50.');
  });

  it('a tag value with a dot', () => expectRefusal(withTag('outboxId', 'a.b'), 'Invalid tag value <a.b>'));

  it('a tag value of 257 characters', () =>
    expectRefusal(withTag('outboxId', 'x'.repeat(257)), 'Invalid tag value'));

  it('a tag name with a space', () => expectRefusal(withTag('outbox id', 'a'), 'Invalid tag name'));

  it('16 headers', () =>
    expectRefusal(
      withHeaders(...Array.from({ length: 16 }, (_, i) => ({ Name: `X-${i}`, Value: 'v' }))),
      'at most 15',
    ));

  it('a header value with a line break', () =>
    expectRefusal(withHeaders({ Name: 'X-A', Value: 'a\r\nBcc: eve@example.com' }), 'value of header <X-A>'));

  it('a header name with a colon', () =>
    expectRefusal(withHeaders({ Name: 'X:A', Value: 'a' }), 'Invalid header name'));

  it('a subject with a line break', () =>
    expectRefusal(
      aSimpleMail({ Content: { Simple: { Subject: { Data: 'a\nBcc: b' }, Body: { Html: html } } } }),
      'line break',
    ));

  it('a body that is neither HTML nor text', () =>
    expectRefusal(aSimpleMail({ Content: { Simple: { Subject: subject, Body: {} } } }), 'neither'));

  it('a charset nobody knows', () =>
    expectRefusal(
      aSimpleMail({
        Content: { Simple: { Subject: { Data: 'a', Charset: 'klingon' }, Body: { Html: html } } },
      }),
      'charset <klingon>',
    ));

  it('no content at all', () => expectRefusal(aSimpleMail({ Content: {} }), 'exactly one of'));

  it('a configuration set that does not exist', () =>
    expectRefusal(aSimpleMail({ ConfigurationSetName: 'nope' }), 'Configuration set <nope> does not exist.', [
      'NotFoundException',
      404,
    ]));

  it('a template that does not exist', () =>
    expectRefusal(aSimpleMail({ Content: { Template: { TemplateName: 't1' } } }), 'Template t1', [
      'NotFoundException',
      404,
    ]));

  it('a mail of more than 40 MB', () => {
    const Html = { Data: 'x'.repeat(40 * 1024 * 1024), Charset: 'UTF-8' };
    const mail = aSimpleMail({ Content: { Simple: { Subject: subject, Body: { Html } } } });
    return expectRefusal(mail, 'Message length is more than 41943040 bytes');
  });

  it('a body that is not JSON', async () => {
    const url = `${ses().emulator.url}/v2/email/outbound-emails`;
    const response = await fetch(url, { method: 'POST', body: '{' });
    expect(response.status).toBe(400);
    expect(response.headers.get('x-amzn-errortype')).toBe('SerializationException');
  });
});
