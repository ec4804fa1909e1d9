import type { MailBody } from '../domain/body.ts';
import type { SesError } from '../domain/failures.ts';

export interface OutgoingMail {
  readonly from: string;
  readonly to: string;
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo?: string;
  readonly subject: string;
  readonly body: MailBody;
  readonly headers: Readonly<Record<string, string>>;
  /** Come back in SES's events, and say there whose mail it was. */
  readonly tags: { readonly outboxId: string; readonly companyId: string; readonly attempt: string };
}

export type SendResult =
  { readonly sent: true; readonly messageId: string } | { readonly sent: false; readonly error: SesError };

export interface Mailer {
  send(mail: OutgoingMail): Promise<SendResult>;
}
