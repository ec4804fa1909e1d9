import { describe, expect, it } from 'vitest';
import {
  classifyFailure,
  ERROR_CODES,
  FAILURE_RULES,
  isRetryableError,
  type SesError,
} from '../../../shared/domain/failures.ts';

function refusal(name: string, message = 'no', more: Partial<SesError> = {}): SesError {
  return { name, message, status: 400, typed: true, ...more };
}

const verdictOn = (error: SesError) => {
  const { code, category, decision } = classifyFailure(error);
  return `${decision} ${category} ${code}`;
};

const RATE = 'Maximum sending rate exceeded.';
const DAILY = 'Daily message quota exceeded.';

/** Name, message, verdict: the failure table of the design, in SES v1 names, v2 names and SMTP codes. */
const TABLE: readonly (readonly [name: string, message: string, verdict: string])[] = [
  ['MessageRejected', 'virus', 'fail PERMANENT_ERROR SES_MESSAGE_REJECTED'],
  ['BadRequestException', 'no', 'fail PERMANENT_ERROR SES_BAD_REQUEST'],
  ['InvalidParameterValue', 'no', 'fail PERMANENT_ERROR SES_BAD_REQUEST'],
  ['AccountSuspendedException', 'no', 'fail PERMANENT_ERROR SES_ACCOUNT_SUSPENDED'],
  ['500', 'syntax', 'fail PERMANENT_ERROR SMTP_PERMANENT'],
  ['550', 'no mailbox', 'fail PERMANENT_ERROR SMTP_PERMANENT'],
  ['554', 'failed', 'fail PERMANENT_ERROR SMTP_PERMANENT'],
  ['MailFromDomainNotVerified', 'no', 'fail CONFIGURATION_ERROR SES_MAIL_FROM_DOMAIN_NOT_VERIFIED'],
  ['MailFromDomainNotVerifiedException', 'no', 'fail CONFIGURATION_ERROR SES_MAIL_FROM_DOMAIN_NOT_VERIFIED'],
  ['ConfigurationSetDoesNotExist', 'no', 'fail CONFIGURATION_ERROR SES_CONFIGURATION_SET_DOES_NOT_EXIST'],
  [
    'ConfigurationSetDoesNotExistException',
    'no',
    'fail CONFIGURATION_ERROR SES_CONFIGURATION_SET_DOES_NOT_EXIST',
  ],
  ['NotFoundException', 'no', 'fail CONFIGURATION_ERROR SES_CONFIGURATION_SET_DOES_NOT_EXIST'],
  ['DailyQuotaExceeded', 'no', 'longHold QUOTA_ERROR SES_DAILY_QUOTA_EXCEEDED'],
  ['ThrottlingException', DAILY, 'longHold QUOTA_ERROR SES_DAILY_QUOTA_EXCEEDED'],
  ['Throttling', DAILY, 'longHold QUOTA_ERROR SES_DAILY_QUOTA_EXCEEDED'],
  ['LimitExceededException', DAILY, 'longHold QUOTA_ERROR SES_DAILY_QUOTA_EXCEEDED'],
  ['TooManyRequestsException', DAILY, 'longHold QUOTA_ERROR SES_DAILY_QUOTA_EXCEEDED'],
  ['SendingPausedException', 'no', 'longHold QUOTA_ERROR SES_ACCOUNT_SENDING_PAUSED'],
  ['AccountSendingPausedException', 'no', 'longHold QUOTA_ERROR SES_ACCOUNT_SENDING_PAUSED'],
  ['ConfigurationSetSendingPausedException', 'no', 'longHold QUOTA_ERROR SES_ACCOUNT_SENDING_PAUSED'],
  ['MaxSendRateExceeded', 'no', 'throttle QUOTA_ERROR SES_MAX_SEND_RATE_EXCEEDED'],
  ['TooManyRequestsException', RATE, 'throttle QUOTA_ERROR SES_MAX_SEND_RATE_EXCEEDED'],
  ['ThrottlingException', RATE, 'throttle QUOTA_ERROR SES_MAX_SEND_RATE_EXCEEDED'],
  ['Throttling', RATE, 'throttle QUOTA_ERROR SES_MAX_SEND_RATE_EXCEEDED'],
  ['TooManyRequestsException', 'slow down', 'throttle QUOTA_ERROR SES_THROTTLING'],
  ['ThrottlingException', 'slow down', 'throttle QUOTA_ERROR SES_THROTTLING'],
  ['Throttling', 'slow down', 'throttle QUOTA_ERROR SES_THROTTLING'],
  ['LimitExceededException', 'too many', 'throttle QUOTA_ERROR SES_THROTTLING'],
  ['ServiceUnavailable', 'later', 'hold TRANSIENT_ERROR SES_SERVICE_UNAVAILABLE'],
  ['ServiceUnavailableException', 'later', 'hold TRANSIENT_ERROR SES_SERVICE_UNAVAILABLE'],
  ['421', 'later', 'hold TRANSIENT_ERROR SMTP_TRANSIENT'],
  ['450', 'later', 'hold TRANSIENT_ERROR SMTP_TRANSIENT'],
  ['451', 'later', 'hold TRANSIENT_ERROR SMTP_TRANSIENT'],
  ['452', 'later', 'hold TRANSIENT_ERROR SMTP_TRANSIENT'],
  ['RequestTimeout', 'late', 'stepAside TIMEOUT_ERROR SES_TIMEOUT'],
  ['TimeoutError', 'late', 'stepAside TIMEOUT_ERROR SES_TIMEOUT'],
  ['AbortError', 'late', 'stepAside TIMEOUT_ERROR SES_TIMEOUT'],
  ['NetworkingError', 'reset', 'stepAside TIMEOUT_ERROR NETWORK_ERROR'],
];

describe('what SES says', () => {
  it.each(TABLE)('%s "%s" → %s', (name, message, verdict) => {
    expect(verdictOn(refusal(name, message))).toBe(verdict);
  });

  it('is all of the rules', () => {
    const told = new Set(TABLE.map(([name]) => name));
    expect(FAILURE_RULES.flatMap((rule) => rule.names).filter((name) => !told.has(name))).toEqual([]);
  });

  it('is kept for the timeline', () => {
    expect(classifyFailure(refusal('MessageRejected', 'virus'))).toMatchObject({
      reason: 'MessageRejected: virus',
      originalCode: 'MessageRejected',
    });
  });
});

describe('what no rule names', () => {
  it.each([[400], [403], [422], [499]])('a typed %i is a refusal for good', (status) => {
    expect(verdictOn(refusal('SomethingNewException', 'no', { status }))).toBe(
      'fail PERMANENT_ERROR SES_BAD_REQUEST',
    );
  });

  it.each([[500], [502], [504], [302], [399]])('a typed %i leaves the mail in doubt', (status) => {
    expect(verdictOn(refusal('InternalFailure', 'oops', { status }))).toBe(
      'stepAside TIMEOUT_ERROR NETWORK_ERROR',
    );
  });

  it('a typed answer without a status leaves the mail in doubt', () => {
    expect(verdictOn({ name: 'Odd', message: '', typed: true })).toBe(
      'stepAside TIMEOUT_ERROR NETWORK_ERROR',
    );
  });

  it.each([
    [{ name: 'ECONNRESET', message: 'reset' }],
    [{ name: 'UnknownError', message: '<html>', status: 403 }],
    [{ name: 'MessageRejected', message: 'said a proxy', status: 400 }],
    [{ name: 'ServiceUnavailable', message: 'said a proxy', status: 503 }],
  ])('what is not a typed refusal steps aside: %o', (error) => {
    expect(classifyFailure({ ...error, typed: false }).decision).toBe('stepAside');
  });

  it('an untyped timeout is still called a timeout', () => {
    expect(classifyFailure({ name: 'TimeoutError', message: '', typed: false }).code).toBe('SES_TIMEOUT');
  });

  it('a request that never left is simply held', () => {
    const error = { name: 'ECONNREFUSED', message: '', typed: false, beforeConnecting: true };
    expect(verdictOn(error)).toBe('hold TRANSIENT_ERROR NETWORK_ERROR');
    expect(verdictOn({ ...error, name: 'TimeoutError' })).toBe('hold TRANSIENT_ERROR NETWORK_ERROR');
  });
});

describe('isRetryableError', () => {
  it.each([['421'], ['450'], ['451'], ['452'], ['Throttling'], ['ServiceUnavailable']])(
    '%s is worth a retry',
    (code) => expect(isRetryableError(code)).toBe(true),
  );

  it.each([['500'], ['550'], ['554'], ['MessageRejected'], ['MailFromDomainNotVerified'], ['?'], ['']])(
    '%s is not',
    (code) => expect(isRetryableError(code)).toBe(false),
  );

  it('answers for our own codes too', () => {
    expect(ERROR_CODES.filter(isRetryableError).sort()).toEqual([
      'NETWORK_ERROR',
      'SES_ACCOUNT_SENDING_PAUSED',
      'SES_DAILY_QUOTA_EXCEEDED',
      'SES_MAX_SEND_RATE_EXCEEDED',
      'SES_SERVICE_UNAVAILABLE',
      'SES_THROTTLING',
      'SES_TIMEOUT',
      'SMTP_TRANSIENT',
    ]);
  });
});
