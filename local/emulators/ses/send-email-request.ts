import { z } from 'zod';
import { SesError } from './errors.ts';
import type { OutgoingMail } from './mail.ts';
import { checkHeaders, checkMail, checkSize, checkTags, type NamedValue } from './mail-rules.ts';
import { parseRawMessage, splitAddressList } from './raw-message.ts';

const text = z.object({ Data: z.string(), Charset: z.string().optional() });
const addresses = z.array(z.string()).default([]);
const namedValues = z.array(z.object({ Name: z.string(), Value: z.string() })).default([]);

const simpleContent = z.object({
  Subject: text,
  Body: z.object({ Html: text.optional(), Text: text.optional() }),
  Headers: namedValues,
});

const sendEmailRequest = z.object({
  FromEmailAddress: z.string().default(''),
  Destination: z
    .object({ ToAddresses: addresses, CcAddresses: addresses, BccAddresses: addresses })
    .default({ ToAddresses: [], CcAddresses: [], BccAddresses: [] }),
  ReplyToAddresses: addresses,
  Content: z.object({
    Simple: simpleContent.optional(),
    Raw: z.object({ Data: z.base64() }).optional(),
    Template: z.object({ TemplateName: z.string().optional() }).optional(),
  }),
  EmailTags: namedValues,
  ConfigurationSetName: z.string().optional(),
});

type SendEmailRequest = z.infer<typeof sendEmailRequest>;
type Text = z.infer<typeof text>;

export function parseSendEmail(body: Buffer, configurationSets: ReadonlyMap<string, unknown>): OutgoingMail {
  const request = parseShape(body);
  const { Simple, Raw, Template } = request.Content;
  if ([Simple, Raw, Template].filter((content) => content !== undefined).length !== 1) {
    throw new SesError('BadRequestException', 'Content must have exactly one of Simple, Raw and Template.');
  }
  if (Template) {
    throw new SesError('NotFoundException', `Template ${Template.TemplateName ?? ''} does not exist.`);
  }
  checkTags(request.EmailTags);
  const mail = Simple ? simpleMail(request, Simple) : rawMail(request, Raw!.Data);
  checkMail(mail);
  if (mail.configurationSet !== null && !configurationSets.has(mail.configurationSet)) {
    throw new SesError('NotFoundException', `Configuration set <${mail.configurationSet}> does not exist.`);
  }
  return mail;
}

function parseShape(body: Buffer): SendEmailRequest {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    throw new SesError('SerializationException');
  }
  const parsed = sendEmailRequest.safeParse(json);
  if (!parsed.success) throw new SesError('BadRequestException', z.prettifyError(parsed.error));
  return parsed.data;
}

function simpleMail(request: SendEmailRequest, content: z.infer<typeof simpleContent>): OutgoingMail {
  const { Html, Text } = content.Body;
  if (!Html && !Text) throw new SesError('BadRequestException', 'Body has neither Html nor Text.');
  checkHeaders(content.Headers);
  return {
    ...envelope(request),
    subject: readText(content.Subject),
    html: Html ? readText(Html) : null,
    text: Text ? readText(Text) : null,
    headers: toRecord(content.Headers),
  };
}

function rawMail(request: SendEmailRequest, data: string): OutgoingMail {
  const bytes = Buffer.from(data, 'base64');
  checkSize(bytes.length);
  const message = parseRawMessage(bytes.toString('utf8'));
  const isHtml = /^text\/html\b/i.test(message.header('Content-Type'));
  const given = envelope(request);
  const isAddressed = given.to.length + given.cc.length + given.bcc.length > 0;
  return {
    ...given,
    from: given.from || message.header('From'),
    to: isAddressed ? given.to : splitAddressList(message.header('To')),
    cc: isAddressed ? given.cc : splitAddressList(message.header('Cc')),
    bcc: isAddressed ? given.bcc : splitAddressList(message.header('Bcc')),
    subject: message.header('Subject'),
    html: isHtml ? message.body : null,
    text: isHtml ? null : message.body,
    headers: message.headers,
  };
}

function envelope(request: SendEmailRequest) {
  return {
    from: request.FromEmailAddress,
    to: request.Destination.ToAddresses,
    cc: request.Destination.CcAddresses,
    bcc: request.Destination.BccAddresses,
    replyTo: request.ReplyToAddresses,
    tags: toRecord(request.EmailTags),
    configurationSet: request.ConfigurationSetName ?? null,
  };
}

/** Without a charset SES takes the text for 7-bit ASCII: whatever is not arrives as a question mark. */
function readText({ Data, Charset }: Text): string {
  if (Charset === undefined) return Data.replace(/\P{ASCII}/gu, '?');
  try {
    new TextDecoder(Charset);
  } catch {
    throw new SesError('BadRequestException', `Unsupported charset <${Charset}>.`);
  }
  return Data;
}

function toRecord(pairs: readonly NamedValue[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ Name, Value }) => [Name, Value]));
}
