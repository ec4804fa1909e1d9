export const ERROR_CODES = [
  ...(['INVALID_PAYLOAD', 'OUTBOX_NOT_FOUND', 'RECIPIENT_NOT_FOUND', 'RECIPIENT_SUPPRESSED'] as const),
  ...(['INVALID_EMAIL', 'INVALID_TEMPLATE'] as const),
  ...(['SES_MESSAGE_REJECTED', 'SES_BAD_REQUEST', 'SES_ACCOUNT_SUSPENDED', 'SMTP_PERMANENT'] as const),
  ...(['SES_MAIL_FROM_DOMAIN_NOT_VERIFIED', 'SES_CONFIGURATION_SET_DOES_NOT_EXIST'] as const),
  ...(['SES_THROTTLING', 'SES_MAX_SEND_RATE_EXCEEDED', 'SES_DAILY_QUOTA_EXCEEDED'] as const),
  ...(['SES_ACCOUNT_SENDING_PAUSED', 'COMPANY_SUSPENDED'] as const),
  ...(['SES_SERVICE_UNAVAILABLE', 'SMTP_TRANSIENT', 'SES_TIMEOUT', 'NETWORK_ERROR'] as const),
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export type ErrorCategory =
  | 'VALIDATION_ERROR'
  | 'PERMANENT_ERROR'
  | 'CONFIGURATION_ERROR'
  | 'QUOTA_ERROR'
  | 'TRANSIENT_ERROR'
  | 'TIMEOUT_ERROR';

/**
 * fail: FAILED, then the DLQ. throttle: tried again in process, then as hold. hold: a counted attempt, the message
 * keeps its lane. longHold: not counted, 15 to 60 minutes. stepAside: SES may have the mail; wait for its word.
 */
export type Decision = 'fail' | 'throttle' | 'hold' | 'longHold' | 'stepAside';

/** What came back from a call to SES, stripped of the SDK. */
export interface SesError {
  readonly name: string;
  readonly message: string;
  readonly status?: number;
  /** The request never left: SES cannot have the mail. */
  readonly beforeConnecting?: boolean;
  /** SES itself said no, by a typed error. Anything else leaves the mail in doubt. */
  readonly typed: boolean;
}

export interface FailureRule {
  readonly names: readonly string[];
  readonly message?: RegExp;
  readonly code: ErrorCode;
  readonly category: ErrorCategory;
  readonly decision: Decision;
}

export interface Failure {
  readonly code: ErrorCode;
  readonly category: ErrorCategory;
  readonly decision: Decision;
  readonly reason: string;
  readonly originalCode: string;
}

/** First match wins: rules with a message stand before the same name without one. v1 names end in no "Exception". */
export const FAILURE_RULES: readonly FailureRule[] = [
  rule(['MessageRejected'], 'SES_MESSAGE_REJECTED', 'PERMANENT_ERROR', 'fail'),
  rule(['BadRequestException', 'InvalidParameterValue'], 'SES_BAD_REQUEST', 'PERMANENT_ERROR', 'fail'),
  rule(['AccountSuspendedException'], 'SES_ACCOUNT_SUSPENDED', 'PERMANENT_ERROR', 'fail'),
  rule(['500', '550', '554'], 'SMTP_PERMANENT', 'PERMANENT_ERROR', 'fail'),
  rule(
    ['MailFromDomainNotVerified', 'MailFromDomainNotVerifiedException'],
    'SES_MAIL_FROM_DOMAIN_NOT_VERIFIED',
    'CONFIGURATION_ERROR',
    'fail',
  ),
  rule(
    ['ConfigurationSetDoesNotExist', 'ConfigurationSetDoesNotExistException', 'NotFoundException'],
    'SES_CONFIGURATION_SET_DOES_NOT_EXIST',
    'CONFIGURATION_ERROR',
    'fail',
  ),
  rule(
    ['ThrottlingException', 'Throttling', 'LimitExceededException', 'TooManyRequestsException'],
    'SES_DAILY_QUOTA_EXCEEDED',
    'QUOTA_ERROR',
    'longHold',
    /daily (message|sending) quota/i,
  ),
  rule(['DailyQuotaExceeded'], 'SES_DAILY_QUOTA_EXCEEDED', 'QUOTA_ERROR', 'longHold'),
  rule(
    ['SendingPausedException', 'AccountSendingPausedException', 'ConfigurationSetSendingPausedException'],
    'SES_ACCOUNT_SENDING_PAUSED',
    'QUOTA_ERROR',
    'longHold',
  ),
  rule(['MaxSendRateExceeded'], 'SES_MAX_SEND_RATE_EXCEEDED', 'QUOTA_ERROR', 'throttle'),
  rule(
    ['TooManyRequestsException', 'ThrottlingException', 'Throttling'],
    'SES_MAX_SEND_RATE_EXCEEDED',
    'QUOTA_ERROR',
    'throttle',
    /maximum sending rate/i,
  ),
  rule(
    ['TooManyRequestsException', 'ThrottlingException', 'Throttling', 'LimitExceededException'],
    'SES_THROTTLING',
    'QUOTA_ERROR',
    'throttle',
  ),
  rule(
    ['ServiceUnavailable', 'ServiceUnavailableException'],
    'SES_SERVICE_UNAVAILABLE',
    'TRANSIENT_ERROR',
    'hold',
  ),
  rule(['421', '450', '451', '452'], 'SMTP_TRANSIENT', 'TRANSIENT_ERROR', 'hold'),
  rule(['RequestTimeout', 'TimeoutError', 'AbortError'], 'SES_TIMEOUT', 'TIMEOUT_ERROR', 'stepAside'),
  rule(['NetworkingError'], 'NETWORK_ERROR', 'TIMEOUT_ERROR', 'stepAside'),
];

/** What no rule names, by how much we know: never left, refused for good, or in doubt. */
const NEVER_LEFT = { code: 'NETWORK_ERROR', category: 'TRANSIENT_ERROR', decision: 'hold' } as const;
const UNKNOWN_REFUSAL = { code: 'SES_BAD_REQUEST', category: 'PERMANENT_ERROR', decision: 'fail' } as const;
const UNKNOWN_ANSWER = { code: 'NETWORK_ERROR', category: 'TIMEOUT_ERROR', decision: 'stepAside' } as const;

export function classifyFailure(error: SesError): Failure {
  const told = { reason: `${error.name}: ${error.message}`, originalCode: error.name };
  if (error.beforeConnecting) return { ...NEVER_LEFT, ...told };
  const found = FAILURE_RULES.find(
    (r) => r.names.includes(error.name) && (r.message === undefined || r.message.test(error.message)),
  );
  if (found && (error.typed || found.decision === 'stepAside')) {
    return { code: found.code, category: found.category, decision: found.decision, ...told };
  }
  const refused = error.typed && error.status !== undefined && error.status >= 400 && error.status < 500;
  return { ...(refused ? UNKNOWN_REFUSAL : UNKNOWN_ANSWER), ...told };
}

/** Answers for SES v1 and v2 names, SMTP codes and our own codes; what is unknown is not worth a retry. */
export function isRetryableError(code: string): boolean {
  return FAILURE_RULES.some((r) => r.decision !== 'fail' && (r.names.includes(code) || r.code === code));
}

function rule(
  names: readonly string[],
  code: ErrorCode,
  category: ErrorCategory,
  decision: Decision,
  message?: RegExp,
): FailureRule {
  return { names, code, category, decision, ...(message && { message }) };
}
