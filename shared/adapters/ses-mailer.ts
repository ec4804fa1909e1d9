import { GetAccountCommand, SendEmailCommand, type SESv2Client } from '@aws-sdk/client-sesv2';
import type { SesError } from '../domain/failures.ts';
import type { Mailer } from '../ports/mailer.ts';

const TIMEOUT_MS = 30_000;

/** The client must be made with `maxAttempts: 1`: SES has no idempotency token, so each retry is ours to decide. */
export function sesMailer(ses: SESv2Client, configurationSet: string): Mailer {
  return {
    async send(mail) {
      const command = new SendEmailCommand({
        FromEmailAddress: mail.from,
        Destination: { ToAddresses: [mail.to], CcAddresses: [...mail.cc], BccAddresses: [...mail.bcc] },
        ...(mail.replyTo !== undefined && { ReplyToAddresses: [mail.replyTo] }),
        Content: {
          Simple: {
            Subject: { Data: mail.subject, Charset: 'UTF-8' },
            Body: {
              Html: { Data: mail.body.html, Charset: 'UTF-8' },
              ...(mail.body.text !== undefined && { Text: { Data: mail.body.text, Charset: 'UTF-8' } }),
            },
            Headers: Object.entries(mail.headers).map(([Name, Value]) => ({ Name, Value })),
          },
        },
        EmailTags: Object.entries(mail.tags).map(([Name, Value]) => ({ Name, Value })),
        ConfigurationSetName: configurationSet,
      });
      try {
        const { MessageId } = await ses.send(command, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
        if (MessageId === undefined)
          return {
            sent: false,
            error: { name: 'NoMessageId', message: 'SES answered without a message id', typed: false },
          };
        return { sent: true, messageId: MessageId };
      } catch (error) {
        return { sent: false, error: describe(error) };
      }
    },
  };
}

/** Recipients a second that SES allows this account. */
export async function accountSendRate(ses: SESv2Client): Promise<number> {
  const { SendQuota } = await ses.send(new GetAccountCommand({}));
  return SendQuota?.MaxSendRate ?? 1;
}

/** For the mails of test keys: the whole line, and then nobody is written to. */
export function simulatedMailer(): Mailer {
  return {
    send: (mail) =>
      Promise.resolve({ sent: true, messageId: `simulated-${mail.tags.outboxId}-${mail.tags.attempt}` }),
  };
}

interface SdkError {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $fault?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const BEFORE_CONNECTING = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
/** What the SDK calls an answer in which SES named no error: a proxy's page, an empty 500. */
const NAMELESS = new Set(['Error', 'UnknownError', 'Unknown', 'SyntaxError']);

function describe(thrown: unknown): SesError {
  const error = thrown as SdkError;
  const status = error.$metadata?.httpStatusCode;
  const name = error.name ?? 'Error';
  return {
    name: status === undefined && error.code !== undefined ? error.code : name,
    message: error.message ?? '',
    ...(status !== undefined && { status }),
    beforeConnecting: error.code !== undefined && BEFORE_CONNECTING.has(error.code),
    typed: status !== undefined && !NAMELESS.has(name),
  };
}
