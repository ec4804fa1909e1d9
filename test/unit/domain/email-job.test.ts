import { describe, expect, it } from 'vitest';
import {
  checkEmailJobData,
  emailSendJobDataSchema,
  emailSendJobOptionsSchema,
  validateEmailJobData,
} from '../../../shared/domain/email-job.ts';
import { aJob } from '../../factories/a-job.ts';
import { OUTBOX_ID } from '../../factories/an-email.ts';

const HASH = 'a3c7b8d9'.repeat(8);
const longestAddress = `${'l'.repeat(64)}@${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(57)}.com`;

function writtenTo(to: string) {
  return { ...aJob(), to, recipient: { ...aJob().recipient, email: to } };
}

function without(field: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(aJob()).filter(([name]) => name !== field));
}

function reasonOf(data: unknown): string {
  const checked = checkEmailJobData(data);
  return checked.ok ? 'valid' : checked.reason;
}

it('takes the job that the contract gives as its example', () => {
  const job = aJob({
    outboxId: '123e4567-e89b-12d3-a456-426614174000',
    companyId: '789e4567-e89b-12d3-a456-426614174999',
    htmlRef: '123e4567-e89b-12d3-a456-426614174000',
    recipient: {
      externalId: 'CUST-12345',
      cpfCnpjHash: HASH,
      nome: 'João da Silva',
      email: 'cliente@example.com',
    },
  });
  expect(validateEmailJobData(job)).toEqual(job);
});

describe('the rules of the payload', () => {
  it.each([
    ['1 outboxId is a UUID', { ...aJob(), outboxId: 'abc' }, 'outboxId'],
    ['2 companyId is a UUID', { ...aJob(), companyId: 'acme' }, 'companyId'],
    ['3 to is an address', writtenTo('cliente.example.com'), 'to'],
    ['3 to has at most 254 characters', writtenTo(`${'x'.repeat(2)}${longestAddress.slice(1)}`), 'to'],
    ['4 subject is not empty', { ...aJob(), subject: '' }, 'subject'],
    ['4 subject has at most 150 characters', { ...aJob(), subject: 's'.repeat(151) }, 'subject'],
    ['4 subject is one line', { ...aJob(), subject: 'one\ntwo' }, 'subject'],
    ['4 subject has no carriage return', { ...aJob(), subject: 'one\rBcc: x' }, 'subject'],
    ['5 htmlRef is not empty', { ...aJob(), htmlRef: '' }, 'htmlRef'],
    ['8 attempt is at least 1', { ...aJob(), attempt: 0 }, 'attempt'],
    ['8 attempt is at most 5', { ...aJob(), attempt: 6 }, 'attempt'],
    ['8 attempt is a whole number', { ...aJob(), attempt: 1.5 }, 'attempt'],
    ['9 enqueuedAt is ISO 8601', { ...aJob(), enqueuedAt: '10/03/2026 12:00' }, 'enqueuedAt'],
    ['9 enqueuedAt is a real date', { ...aJob(), enqueuedAt: '2026-02-30T12:00:00Z' }, 'enqueuedAt'],
    ['cc has at most 5', { ...aJob(), cc: Array(6).fill('a@example.com') }, 'cc'],
    ['bcc has at most 5', { ...aJob(), bcc: Array(6).fill('a@example.com') }, 'bcc'],
    ['cc holds addresses', { ...aJob(), cc: ['nobody'] }, 'cc.0'],
    ['replyTo is an address', { ...aJob(), replyTo: 'nobody' }, 'replyTo'],
    ['tags are at most 5', { ...aJob(), tags: ['1', '2', '3', '4', '5', '6'] }, 'tags'],
    ['seq counts from 1', { ...aJob(), seq: 0 }, 'seq'],
    ['a version of its own', { ...aJob(), v: 2 }, 'v'],
  ])('%s', (_rule, job, field) => {
    expect(reasonOf(job)).toMatch(new RegExp(`(^|; )${field}: `));
  });

  it.each([
    ['the longest address', writtenTo(longestAddress)],
    ['a subject of 150', { ...aJob(), subject: 's'.repeat(150) }],
    ['a subject of one', { ...aJob(), subject: 's' }],
    ['the fifth attempt', { ...aJob(), attempt: 5 }],
    ['five copies', { ...aJob(), cc: Array(5).fill('a@example.com') }],
    ['a time with an offset', { ...aJob(), enqueuedAt: '2026-03-10T09:00:00-03:00' }],
  ])('takes %s', (_case, job) => {
    expect(reasonOf(job)).toBe('valid');
  });

  it.each(
    [
      'outboxId',
      'companyId',
      'requestId',
      'to',
      'subject',
      'htmlRef',
      'recipient',
      'attempt',
      'enqueuedAt',
    ].map((field) => [field]),
  )('%s must be there', (field) => {
    expect(reasonOf(without(field))).toMatch(new RegExp(`^${field}: `));
  });

  it('6 recipient.email must be to', () => {
    const job = { ...aJob(), recipient: { ...aJob().recipient, email: 'outro@example.com' } };
    expect(() => validateEmailJobData(job)).toThrow(new Error('recipient.email must match to'));
  });

  it('7 the recipient must have an identifier', () => {
    const job = { ...aJob(), recipient: { email: 'cliente@example.com', nome: 'João' } };
    expect(() => validateEmailJobData(job)).toThrow(new Error('At least one recipient identifier required'));
  });

  it.each([[{ recipientId: OUTBOX_ID }], [{ externalId: 'CUST-1' }], [{ cpfCnpjHash: HASH }]])(
    '7 one is enough: %o',
    (identifier) => {
      expect(reasonOf({ ...aJob(), recipient: { ...identifier, email: aJob().to } })).toBe('valid');
    },
  );

  it('a document in clear is not a hash', () => {
    const recipient = { cpfCnpjHash: '529.982.247-25', email: aJob().to };
    expect(reasonOf({ ...aJob(), recipient })).toMatch(/^recipient\.cpfCnpjHash: /);
  });
});

it('names everything that is wrong at once', () => {
  const reason = reasonOf({ ...aJob(), outboxId: 'x', attempt: 9, subject: '' });
  expect(reason.split('; ').map((fault) => fault.split(':')[0])).toEqual(['outboxId', 'subject', 'attempt']);
});

it('drops fields it does not know, at any depth', () => {
  const recipient = { ...aJob().recipient, cpfCnpj: '52998224725' };
  expect(emailSendJobDataSchema.parse({ ...aJob(), html: '<p>', recipient })).toEqual(aJob());
});

it.each([[undefined], [null], ['text'], [[]], [42]])('refuses %o without throwing', (data) => {
  expect(checkEmailJobData(data)).toMatchObject({ ok: false });
});

describe('the options', () => {
  it('have the defaults of the contract', () => {
    expect(emailSendJobOptionsSchema.parse({ jobId: OUTBOX_ID })).toEqual({
      jobId: OUTBOX_ID,
      ttl: 86_400_000,
      priority: 5,
      removeOnComplete: true,
      removeOnFail: false,
    });
  });

  it.each([
    [{}],
    [{ jobId: 'x' }],
    [{ jobId: OUTBOX_ID, priority: 0 }],
    [{ jobId: OUTBOX_ID, priority: 11 }],
    [{ jobId: OUTBOX_ID, delay: -1 }],
  ])('refuse %o', (options) => {
    expect(emailSendJobOptionsSchema.safeParse(options).success).toBe(false);
  });
});
