interface ErrorShape {
  readonly status: number;
  readonly message: string;
}

/** What SendEmail can answer, with the HTTP status and the words SES uses. */
const SES_ERRORS = {
  AccessDeniedException: { status: 403, message: 'User is not authorized to perform ses:SendEmail.' },
  AccountSuspendedException: { status: 400, message: "The account's ability to send email is suspended." },
  BadRequestException: { status: 400, message: 'The input provided is not valid.' },
  InternalServiceErrorException: { status: 500, message: 'An internal error occurred.' },
  LimitExceededException: { status: 400, message: 'Daily message quota exceeded.' },
  MailFromDomainNotVerifiedException: { status: 400, message: 'The MAIL FROM domain is not verified.' },
  MessageRejected: { status: 400, message: 'Email address is not verified.' },
  NotFoundException: { status: 404, message: 'Configuration set does not exist.' },
  SendingPausedException: { status: 400, message: 'Email sending is paused for this account.' },
  SerializationException: { status: 400, message: 'The request body is not valid JSON.' },
  ServiceUnavailable: { status: 503, message: 'The service is unavailable. Please try again.' },
  ServiceUnavailableException: { status: 503, message: 'The service is unavailable. Please try again.' },
  ThrottlingException: { status: 400, message: 'Daily message quota exceeded.' },
  TooManyRequestsException: { status: 429, message: 'Maximum sending rate exceeded.' },
  UnknownOperationException: { status: 404, message: 'The operation is unknown.' },
} as const satisfies Record<string, ErrorShape>;

export type SesErrorName = keyof typeof SES_ERRORS;

export const SES_ERROR_NAMES = Object.keys(SES_ERRORS) as SesErrorName[];

export class SesError extends Error {
  readonly status: number;

  constructor(
    override readonly name: SesErrorName,
    message: string = SES_ERRORS[name].message,
  ) {
    super(message);
    this.status = SES_ERRORS[name].status;
  }
}
