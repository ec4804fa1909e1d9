import {
  GetAccountCommand,
  MessageRejected,
  SendEmailCommand,
  SESv2Client,
  TooManyRequestsException,
} from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { accountSendRate, sesMailer, simulatedMailer } from '../../../shared/adapters/ses-mailer.ts';
import { classifyFailure } from '../../../shared/domain/failures.ts';
import type { OutgoingMail } from '../../../shared/ports/mailer.ts';

const ses = mockClient(SESv2Client);
beforeEach(() => ses.reset());

const mailer = () => sesMailer(new SESv2Client({ region: 'us-east-1', maxAttempts: 1 }), 'email-gateway');
const MAIL: OutgoingMail = {
  from: 'no-reply@gateway.example',
  to: 'cliente@example.com',
  cc: ['a@example.com'],
  bcc: ['b@example.com'],
  replyTo: 'reply@example.com',
  subject: 'Olá',
  body: { html: '<p>Olá</p>', text: 'Olá' },
  headers: { 'X-Order': '7' },
  tags: { outboxId: 'o-1', companyId: 'c-1', attempt: '2' },
};

describe('a call', () => {
  it('says everything, with our tags and our configuration set', async () => {
    ses.on(SendEmailCommand).resolves({ MessageId: 'ses-1' });
    expect(await mailer().send(MAIL)).toEqual({ sent: true, messageId: 'ses-1' });
    expect(ses.commandCalls(SendEmailCommand)[0]?.args[0].input).toEqual({
      FromEmailAddress: 'no-reply@gateway.example',
      Destination: {
        ToAddresses: ['cliente@example.com'],
        CcAddresses: ['a@example.com'],
        BccAddresses: ['b@example.com'],
      },
      ReplyToAddresses: ['reply@example.com'],
      Content: {
        Simple: {
          Subject: { Data: 'Olá', Charset: 'UTF-8' },
          Body: {
            Html: { Data: '<p>Olá</p>', Charset: 'UTF-8' },
            Text: { Data: 'Olá', Charset: 'UTF-8' },
          },
          Headers: [{ Name: 'X-Order', Value: '7' }],
        },
      },
      EmailTags: [
        { Name: 'outboxId', Value: 'o-1' },
        { Name: 'companyId', Value: 'c-1' },
        { Name: 'attempt', Value: '2' },
      ],
      ConfigurationSetName: 'email-gateway',
    });
  });

  it('says nothing of what is not there', async () => {
    ses.on(SendEmailCommand).resolves({ MessageId: 'ses-1' });
    const { replyTo, ...mail } = MAIL;
    await mailer().send({ ...mail, body: { html: '<p>a</p>' } });
    const input = ses.commandCalls(SendEmailCommand)[0]?.args[0].input;
    expect(replyTo).toBeDefined();
    expect(input).not.toHaveProperty('ReplyToAddresses');
    expect(input?.Content?.Simple?.Body).not.toHaveProperty('Text');
  });

  it('has a time limit of its own', async () => {
    ses.on(SendEmailCommand).resolves({ MessageId: 'ses-1' });
    await mailer().send(MAIL);
    const [, options] = (ses.commandCalls(SendEmailCommand)[0]?.args ?? []) as unknown[];
    expect((options as { abortSignal?: AbortSignal } | undefined)?.abortSignal).toBeInstanceOf(AbortSignal);
  });
});

/** What an error of the SDK becomes, and what is decided on it. */
async function described(error: Error) {
  ses.on(SendEmailCommand).rejects(error);
  const result = await mailer().send(MAIL);
  if (result.sent) throw new Error('sent');
  return { ...result.error, decision: classifyFailure(result.error).decision };
}

const answered = (httpStatusCode: number) => ({ $metadata: { httpStatusCode } });
const named = (name: string, more: object = {}) => Object.assign(new Error('words'), { name, ...more });

describe('an error of SES', () => {
  it.each([
    [
      'a rejection',
      new MessageRejected({ message: 'no', ...answered(400) }),
      { typed: true, decision: 'fail' },
    ],
    [
      'throttling',
      new TooManyRequestsException({ message: 'slow', ...answered(429) }),
      { name: 'TooManyRequestsException', status: 429, typed: true, decision: 'throttle' },
    ],
    [
      'a refusal that we do not know',
      named('SomethingNewException', answered(400)),
      { typed: true, decision: 'fail' },
    ],
    [
      'a typed 500 that we do not know',
      named('InternalFailure', answered(500)),
      { typed: true, decision: 'stepAside' },
    ],
    ['a nameless 500', named('UnknownError', answered(500)), { typed: false, decision: 'stepAside' }],
    ['a nameless 403 of a proxy', named('Unknown', answered(403)), { typed: false, decision: 'stepAside' }],
    [
      'an answer that is no JSON',
      named('SyntaxError', answered(200)),
      { typed: false, decision: 'stepAside' },
    ],
    [
      'our own time-out',
      named('TimeoutError'),
      { name: 'TimeoutError', typed: false, beforeConnecting: false, decision: 'stepAside' },
    ],
    ['an abort', named('AbortError'), { typed: false, decision: 'stepAside' }],
    [
      'a reset',
      named('Error', { code: 'ECONNRESET' }),
      { name: 'ECONNRESET', beforeConnecting: false, decision: 'stepAside' },
    ],
    ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].map(
      (code): [string, Error, object] => [
        code,
        named('Error', { code }),
        { name: code, beforeConnecting: true, decision: 'hold' },
      ],
    ),
  ] as [string, Error, object][])('%s', async (_, error, expected) => {
    expect(await described(error)).toMatchObject(expected);
  });

  it('an answer without a message id leaves the mail in doubt', async () => {
    ses.on(SendEmailCommand).resolves({});
    const result = await mailer().send(MAIL);
    expect(result).toMatchObject({ sent: false, error: { typed: false } });
    if (!result.sent) expect(classifyFailure(result.error).decision).toBe('stepAside');
  });
});

it('the account’s rate is what SES says, or one a second', async () => {
  ses
    .on(GetAccountCommand)
    .resolvesOnce({ SendQuota: { MaxSendRate: 14 } })
    .resolves({});
  const client = new SESv2Client({ region: 'us-east-1' });
  expect(await accountSendRate(client)).toBe(14);
  expect(await accountSendRate(client)).toBe(1);
});

it('the simulated mailer writes to nobody', async () => {
  expect(await simulatedMailer().send(MAIL)).toEqual({ sent: true, messageId: 'simulated-o-1-2' });
  expect(ses.calls()).toHaveLength(0);
});
