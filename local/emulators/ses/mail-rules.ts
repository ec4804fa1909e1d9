import { SesError } from './errors.ts';
import { bareAddress, recipientsOf, type OutgoingMail } from './mail.ts';

const MAX_RECIPIENTS = 50;
const MAX_HEADERS = 15;
const MAX_MESSAGE_BYTES = 40 * 1024 * 1024;
const TAG_PATTERN = /^[A-Za-z0-9_-]{1,256}$/;
/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_MessageHeader.html */
const HEADER_NAME_PATTERN = /^[!-9;-~]{1,126}$/;
const HEADER_VALUE_PATTERN = /^[ -~]{1,870}$/;
const DOMAIN_PATTERN = /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$/;

export interface NamedValue {
  readonly Name: string;
  readonly Value: string;
}

/** Throws for the first rule of SES that the mail breaks. */
export function checkMail(mail: OutgoingMail): void {
  const recipients = recipientsOf(mail);
  if (mail.from === '') throw new SesError('BadRequestException', 'FromEmailAddress is missing.');
  if (recipients.length === 0) throw new SesError('BadRequestException', 'Destination has no recipients.');
  if (recipients.length > MAX_RECIPIENTS) {
    throw new SesError('BadRequestException', `Recipient count exceeds ${MAX_RECIPIENTS}.`);
  }
  for (const address of [mail.from, ...mail.to, ...mail.cc, ...mail.bcc, ...mail.replyTo])
    checkAddress(address);
  if (/[\r\n]/.test(mail.subject))
    throw new SesError('BadRequestException', 'Subject contains a line break.');
  checkSize(Buffer.byteLength(mail.subject + (mail.html ?? '') + (mail.text ?? '')));
}

export function checkSize(bytes: number): void {
  if (bytes > MAX_MESSAGE_BYTES) {
    const message = `Message length is more than ${MAX_MESSAGE_BYTES} bytes long: '${bytes}'.`;
    throw new SesError('BadRequestException', message);
  }
}

export function checkHeaders(headers: readonly NamedValue[]): void {
  if (headers.length > MAX_HEADERS) {
    throw new SesError('BadRequestException', `Headers: at most ${MAX_HEADERS}, got ${headers.length}.`);
  }
  for (const { Name, Value } of headers) {
    if (!HEADER_NAME_PATTERN.test(Name)) {
      throw new SesError('BadRequestException', `Invalid header name <${Name}>.`);
    }
    if (!HEADER_VALUE_PATTERN.test(Value)) {
      throw new SesError('BadRequestException', `Invalid value of header <${Name}>.`);
    }
  }
}

export function checkTags(tags: readonly NamedValue[]): void {
  for (const { Name, Value } of tags) {
    if (!TAG_PATTERN.test(Name)) throw new SesError('BadRequestException', `Invalid tag name <${Name}>.`);
    if (!TAG_PATTERN.test(Value)) throw new SesError('BadRequestException', `Invalid tag value <${Value}>.`);
  }
}

function checkAddress(written: string): void {
  if (/[\r\n]/.test(written)) {
    throw new SesError('BadRequestException', 'Address contains a line break');
  }
  const address = bareAddress(written);
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  if (at < 0 || domain === '') throw new SesError('BadRequestException', "Missing final '@domain'");
  if (/[\s\p{Cc}]/u.test(local)) {
    throw new SesError('BadRequestException', 'Local address contains control or whitespace');
  }
  if (/[\s\p{Cc}]/u.test(domain)) {
    throw new SesError('BadRequestException', 'Domain contains control or whitespace');
  }
  if (!/^[!-~]{1,64}$/.test(local) || !DOMAIN_PATTERN.test(domain) || address.length > 320) {
    throw new SesError('BadRequestException', `Illegal address <${address}>`);
  }
}
