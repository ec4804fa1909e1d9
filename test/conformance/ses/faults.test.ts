import { SendEmailCommand, TooManyRequestsException } from '@aws-sdk/client-sesv2';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../local/clock.ts';
import { aMailTo, useSes } from './ses-fixture.ts';

describe('SES faults on demand', () => {
  const ses = useSes();
  const order = (fault: object) => ses().control('POST', 'faults', fault);

  it.each([
    ['TooManyRequestsException', 429, 'Maximum sending rate exceeded.'],
    ['ThrottlingException', 400, 'Daily message quota exceeded.'],
    ['LimitExceededException', 400, 'Daily message quota exceeded.'],
    ['NotFoundException', 404, 'Configuration set does not exist.'],
    ['AccountSuspendedException', 400, "The account's ability to send email is suspended."],
    ['SendingPausedException', 400, 'Email sending is paused for this account.'],
    ['MessageRejected', 400, 'Email address is not verified.'],
    ['MailFromDomainNotVerifiedException', 400, 'The MAIL FROM domain is not verified.'],
    ['BadRequestException', 400, 'The input provided is not valid.'],
    ['InternalServiceErrorException', 500, 'An internal error occurred.'],
    ['ServiceUnavailable', 503, 'The service is unavailable. Please try again.'],
  ])('answers %s with status %i', async (error, httpStatusCode, message) => {
    await order({ error });
    await expect(ses().send()).rejects.toMatchObject({ name: error, message, $metadata: { httpStatusCode } });
    expect(await ses().inbox()).toEqual([]);
  });

  it('gives the SDK an instance of its own exception class', async () => {
    await order({ error: 'TooManyRequestsException' });
    await expect(ses().send()).rejects.toBeInstanceOf(TooManyRequestsException);
  });

  it('says what it was told to say', async () => {
    await order({ error: 'MessageRejected', message: 'Virus found.' });
    await expect(ses().send()).rejects.toMatchObject({ name: 'MessageRejected', message: 'Virus found.' });
  });

  it.each([500, '502', 503, 504])('answers the bare HTTP status %s', async (error) => {
    await order({ error });
    await expect(ses().send()).rejects.toMatchObject({ $metadata: { httpStatusCode: Number(error) } });
  });

  it('resets the connection', async () => {
    await order({ error: 'RESET' });
    await expect(ses().send()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('hangs until the caller gives up, and serves others meanwhile', async () => {
    await order({ to: 'ana@example.com', error: 'HANG' });
    const giveUp = new AbortController();
    const hanging = ses().client.send(new SendEmailCommand(aMailTo('ana@example.com')), {
      abortSignal: giveUp.signal,
    });
    const outcome = expect(hanging).rejects.toMatchObject({ name: 'AbortError' });
    await ses().send(aMailTo('bo@example.com'));
    giveUp.abort();
    await outcome;
  });

  it('fails once unless told otherwise', async () => {
    await order({ error: 500 });
    await expect(ses().send()).rejects.toThrow();
    await expect(ses().send()).resolves.toBeDefined();
  });

  it('fails as often as it was told, and shows what is left', async () => {
    await order({ error: 500, times: 2 });
    await expect(ses().send()).rejects.toThrow();
    expect((await ses().control('GET', 'faults')).json).toMatchObject([{ error: 500, times: 1 }]);
    await expect(ses().send()).rejects.toThrow();
    expect((await ses().control('GET', 'faults')).json).toEqual([]);
    await expect(ses().send()).resolves.toBeDefined();
  });

  it('fails for ever with times -1, until the faults are deleted', async () => {
    await order({ error: 500, times: -1 });
    for (let i = 0; i < 3; i += 1) await expect(ses().send()).rejects.toThrow();
    await ses().control('DELETE', 'faults');
    await expect(ses().send()).resolves.toBeDefined();
  });

  it('fails only for the recipient it is meant for', async () => {
    await order({ to: 'Bo@example.com', error: 500 });
    await expect(ses().send(aMailTo('ana@example.com'))).resolves.toBeDefined();
    await expect(ses().send(aMailTo('ana@example.com', 'bo@example.com'))).rejects.toThrow();
  });

  it('never fails with probability 0', async () => {
    await order({ error: 500, probability: 0, times: -1 });
    await expect(ses().send()).resolves.toBeDefined();
  });

  it('does not spend a fault on an invalid request', async () => {
    await order({ error: 500 });
    await expect(ses().send(aMailTo('nobody'))).rejects.toMatchObject({ name: 'BadRequestException' });
    expect((await ses().control('GET', 'faults')).json).toHaveLength(1);
  });

  it('accepts the mail first with afterAccept, and its events follow', async () => {
    await order({ error: 504, afterAccept: true });
    await expect(ses().send(aMailTo('ana@example.com'))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 504 },
    });
    expect(await ses().inbox()).toHaveLength(1);
    await ses().waitForEvents(1);
    expect(ses().eventTypes()).toEqual(['Send']);
  });

  it.each([
    [{}, 'error'],
    [{ error: 'NoSuchException' }, 'one of .*TooManyRequestsException'],
    [{ error: 200 }, '400 to 599'],
    [{ error: 500, times: 0 }, 'times'],
    [{ error: 500, delayMs: -1 }, 'delayMs'],
    [{ error: 500, probability: 2 }, 'probability'],
    [{ error: 500, afterAccept: 'yes' }, 'afterAccept'],
    [{ error: 500, tymes: 3 }, 'tymes'],
    ['{', 'not valid JSON'],
  ])('refuses the order %j and says why', async (fault, reason) => {
    const { status, json } = await ses().control('POST', 'faults', fault);
    expect(status).toBe(400);
    expect((json as { message: string }).message).toMatch(new RegExp(reason));
    expect((await ses().control('GET', 'faults')).json).toEqual([]);
  });
});

describe('SES faults with a delay', () => {
  const clock = new ManualClock();
  const ses = useSes({ clock });

  it('accepts at once and fails after the delay', async () => {
    await ses().control('POST', 'faults', { error: 500, delayMs: 5000, afterAccept: true });
    let isAnswered = false;
    const sending = ses()
      .send()
      .catch(() => (isAnswered = true));
    await expect.poll(() => ses().inbox()).toHaveLength(1);
    clock.advance(4999);
    await ses().control('GET', 'faults');
    expect(isAnswered).toBe(false);
    clock.advance(1);
    expect(await sending).toBe(true);
  });
});
