/** A mail that passed validation. Addresses are kept as they were written, display names included. */
export interface OutgoingMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly configurationSet: string | null;
}

/** A mail that SES took over: it has a message id, and its events follow. */
export interface AcceptedMail extends OutgoingMail {
  readonly messageId: string;
  readonly receivedAt: string;
}

/** `Ana <ana@example.com>` and `ana@example.com` both give `ana@example.com`. */
export function bareAddress(written: string): string {
  return /<([^<>]*)>\s*$/.exec(written)?.[1] ?? written.trim();
}

export function recipientsOf(mail: OutgoingMail): string[] {
  return [...mail.to, ...mail.cc, ...mail.bcc].map(bareAddress);
}

export function sameAddress(a: string, b: string): boolean {
  return bareAddress(a).toLowerCase() === bareAddress(b).toLowerCase();
}
