import { describe, expect, it } from 'vitest';
import { FAILURE_RULES, type Decision, type ErrorCode } from '../../shared/domain/failures.ts';
import { EMAIL_JOB_CONFIG } from '../../shared/domain/job-config.ts';
import { until, useGateway, type EmailView } from './gateway.ts';

const gateway = useGateway();

type Case = readonly [
  error: string | number,
  message: string | undefined,
  code: ErrorCode,
  decision: Decision,
];

/** Every answer that SES v2 can give to SendEmail, and what lies between it and us. */
const CASES: readonly Case[] = [
  ['MessageRejected', undefined, 'SES_MESSAGE_REJECTED', 'fail'],
  ['BadRequestException', undefined, 'SES_BAD_REQUEST', 'fail'],
  ['AccountSuspendedException', undefined, 'SES_ACCOUNT_SUSPENDED', 'fail'],
  ['AccessDeniedException', undefined, 'SES_BAD_REQUEST', 'fail'],
  ['MailFromDomainNotVerifiedException', undefined, 'SES_MAIL_FROM_DOMAIN_NOT_VERIFIED', 'fail'],
  ['NotFoundException', undefined, 'SES_CONFIGURATION_SET_DOES_NOT_EXIST', 'fail'],
  ['ThrottlingException', 'Daily message quota exceeded.', 'SES_DAILY_QUOTA_EXCEEDED', 'longHold'],
  ['LimitExceededException', 'Daily message quota exceeded.', 'SES_DAILY_QUOTA_EXCEEDED', 'longHold'],
  ['SendingPausedException', undefined, 'SES_ACCOUNT_SENDING_PAUSED', 'longHold'],
  ['TooManyRequestsException', 'Maximum sending rate exceeded.', 'SES_MAX_SEND_RATE_EXCEEDED', 'throttle'],
  ['TooManyRequestsException', 'Too many requests.', 'SES_THROTTLING', 'throttle'],
  ['ServiceUnavailableException', undefined, 'SES_SERVICE_UNAVAILABLE', 'hold'],
  ['InternalServiceErrorException', undefined, 'NETWORK_ERROR', 'stepAside'],
  [500, undefined, 'NETWORK_ERROR', 'stepAside'],
  [502, undefined, 'NETWORK_ERROR', 'stepAside'],
  [504, undefined, 'NETWORK_ERROR', 'stepAside'],
  ['RESET', undefined, 'NETWORK_ERROR', 'stepAside'],
];

async function acceptWithFault([error, message]: Case, times: number): Promise<string> {
  const to = `${String(error).toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await gateway().order('faults', { to, error, times, ...(message !== undefined && { message }) });
  return gateway().accept({ to });
}

const eventsOf = (mail: EmailView, type: string) => mail.events.filter((event) => event.type === type);

/** Every RETRY_SCHEDULED says how long it waits; the next attempt must not have come earlier. */
function expectNoHurry(mail: EmailView): void {
  const waits = mail.events.flatMap((event, i) => {
    if (event.type !== 'RETRY_SCHEDULED') return [];
    const next = mail.events.slice(i).find(({ type }) => type === 'RECEIVED');
    return next ? [{ promised: Number(event.metadata?.['backoffDelay']), kept: gap(event.at, next.at) }] : [];
  });
  for (const { promised, kept } of waits) expect(kept).toBeGreaterThanOrEqual(promised);
}

const gap = (from: string, to: string) => Date.parse(to) - Date.parse(from);

describe.each(CASES)('SES answers %s (%s) once', (...row) => {
  const [, , code, decision] = row;

  if (decision === 'fail') {
    it('is FAILED with one attempt, and its message is in the dead-letter queue', async () => {
      const before = await gateway().depth('deadLetter');
      const outboxId = await acceptWithFault(row, 1);
      const mail = await gateway().untilStatus(outboxId, 'FAILED');
      expect(mail).toMatchObject({ errorCode: code, attempts: 1, errorReason: expect.stringMatching(/\S/) });
      await until(
        () => gateway().depth('deadLetter'),
        (depth) => depth === before + 1,
      );
      expect(await gateway().depth('express')).toBe(0);
      expect(await gateway().inboxOf(outboxId)).toEqual([]);
    });
    return;
  }

  it('is SENT in the end, once', async () => {
    const outboxId = await acceptWithFault(row, 1);
    const mail = await gateway().liveThrough(outboxId, 'SENT');
    // Throttling is waited out within the attempt; a long hold is not counted.
    expect(mail.attempts).toBe(decision === 'throttle' || decision === 'longHold' ? 1 : 2);
    expect(mail.errorCode).toBeNull();
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
    expectNoHurry(mail);
    expect(eventsOf(mail, 'IN_DOUBT')).toHaveLength(decision === 'stepAside' ? 1 : 0);
    const [retry] = eventsOf(mail, 'RETRY_SCHEDULED');
    if (decision === 'throttle') expect(retry).toBeUndefined();
    else expect(retry?.metadata).toMatchObject({ errorCode: code, willRetry: true });
    if (decision === 'stepAside')
      expect(Number(retry?.metadata?.['backoffDelay'])).toBeGreaterThanOrEqual(120_000);
    if (decision === 'longHold')
      expect(retry?.metadata).toMatchObject({ backoffDelay: 900_000, counted: false });
  });
});

const lasting = (...decisions: Decision[]) =>
  CASES.filter(([, , , decision]) => decisions.includes(decision));

describe('SES answers the same for ever', () => {
  it.each(lasting('hold', 'throttle', 'stepAside'))(
    '%s (%s): five attempts with growing waits, then FAILED and in the dead-letter queue',
    async (...row) => {
      const [, , code, decision] = row;
      const before = await gateway().depth('deadLetter');
      const outboxId = await acceptWithFault(row, -1);
      const mail = await gateway().liveThrough(outboxId, 'FAILED');
      expect(mail).toMatchObject({ attempts: 5, errorCode: code });
      expect(eventsOf(mail, 'SENT_ATTEMPT').map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
      const retries = eventsOf(mail, 'RETRY_SCHEDULED').map(({ metadata }) => metadata ?? {});
      expect(retries.map((meta) => meta['nextAttemptNumber'])).toEqual([2, 3, 4, 5]);
      for (const [i, meta] of retries.entries()) {
        const step = (EMAIL_JOB_CONFIG.BACKOFF_DELAYS[i] ?? 0) * 1000;
        const least = decision === 'stepAside' ? Math.max(120_000, step * 0.75) : step * 0.75;
        expect(Number(meta['backoffDelay'])).toBeGreaterThanOrEqual(least);
        expect(Number(meta['backoffDelay'])).toBeLessThanOrEqual(Math.max(least, step * 1.25));
      }
      expectNoHurry(mail);
      await until(
        () => gateway().depth('deadLetter'),
        (depth) => depth === before + 1,
      );
      expect(await gateway().depth('express')).toBe(0);
      expect(await gateway().inboxOf(outboxId)).toEqual([]);
    },
    60_000,
  );

  it.each(lasting('longHold'))(
    '%s (%s): not counted, held 15 to 60 minutes, until the mail EXPIRES',
    async (...row) => {
      const before = await gateway().depth('deadLetter');
      const outboxId = await acceptWithFault(row, -1);
      const mail = await gateway().liveThrough(outboxId, 'EXPIRED');
      const holds = eventsOf(mail, 'RETRY_SCHEDULED').map(
        ({ metadata }) => Number(metadata?.['backoffDelay']) / 60_000,
      );
      // The middle of a long timeline is not kept: the first two, and the last ones.
      expect(holds.slice(0, 2)).toEqual([15, 30]);
      expect(new Set(holds.slice(2))).toEqual(new Set([60]));
      expect(mail.attempts).toBe(0);
      expect(await gateway().depth('deadLetter')).toBe(before);
      expect(await gateway().inboxOf(outboxId)).toEqual([]);
    },
    60_000,
  );
});

it('every rule that SES v2 can trigger stands in this table', () => {
  const tried = new Set(CASES.map(([, , code]) => code));
  const ofV2 = FAILURE_RULES.filter(({ names }) =>
    names.some((name) => /Exception$|^MessageRejected$/.test(name)),
  );
  for (const { code } of ofV2) expect(tried).toContain(code);
});
