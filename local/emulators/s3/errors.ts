interface ErrorShape {
  readonly status: number;
  readonly message: string;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, as far as they can happen here. */
const S3_ERRORS = {
  AccessDenied: { status: 403, message: 'Access Denied' },
  AuthorizationQueryParametersError: { status: 400, message: 'The authorization parameters are not valid.' },
  BadDigest: { status: 400, message: 'The Content-MD5 you specified did not match what we received.' },
  EntityTooLarge: { status: 400, message: 'Your proposed upload exceeds the maximum allowed size' },
  IncompleteBody: { status: 400, message: 'The request body terminated unexpectedly' },
  InternalError: { status: 500, message: 'We encountered an internal error. Please try again.' },
  InvalidArgument: { status: 400, message: 'Invalid Argument' },
  InvalidBucketName: { status: 400, message: 'The specified bucket is not valid.' },
  InvalidDigest: { status: 400, message: 'The Content-MD5 you specified was invalid.' },
  InvalidRange: { status: 416, message: 'The requested range is not satisfiable' },
  InvalidRequest: { status: 400, message: 'Invalid Request' },
  InvalidURI: { status: 400, message: "Couldn't parse the specified URI." },
  KeyTooLongError: { status: 400, message: 'Your key is too long' },
  MalformedTrailerError: {
    status: 400,
    message: 'The request contained trailing data that was not well-formed.',
  },
  MetadataTooLarge: {
    status: 400,
    message: 'Your metadata headers exceed the maximum allowed metadata size',
  },
  MethodNotAllowed: { status: 405, message: 'The specified method is not allowed against this resource.' },
  MissingContentLength: { status: 411, message: 'You must provide the Content-Length HTTP header.' },
  NoSuchBucket: { status: 404, message: 'The specified bucket does not exist' },
  NoSuchKey: { status: 404, message: 'The specified key does not exist.' },
  NotImplemented: {
    status: 501,
    message: 'A header you provided implies functionality that is not implemented',
  },
  PreconditionFailed: {
    status: 412,
    message: 'At least one of the pre-conditions you specified did not hold',
  },
  XAmzContentSHA256Mismatch: {
    status: 400,
    message: "The provided 'x-amz-content-sha256' header does not match what was computed.",
  },
} as const satisfies Record<string, ErrorShape>;

export type S3ErrorCode = keyof typeof S3_ERRORS;

export class S3Error extends Error {
  readonly status: number;
  /** Elements of the answer beside the code and the message. */
  readonly details: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: S3ErrorCode,
    message: string = S3_ERRORS[code].message,
    more: { readonly details?: Record<string, string>; readonly headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = S3_ERRORS[code].status;
    this.details = more.details ?? {};
    this.headers = more.headers ?? {};
  }
}
