import type {
  APIGatewayProxyEventV2WithLambdaAuthorizer,
  APIGatewayProxyStructuredResultV2,
} from 'aws-lambda';
import { problem, type ApiErrorCode, type Fault, type Problem } from '../../shared/domain/api-errors.ts';
import type { Verdict } from '../../shared/domain/api-key.ts';
import type { Caller } from '../../shared/domain/new-email.ts';

/** The authorizer's verdict comes along as context; routes without an authorizer have none. */
export type ApiEvent = APIGatewayProxyEventV2WithLambdaAuthorizer<Verdict | undefined>;
export type ApiResult = APIGatewayProxyStructuredResultV2;

/** Thrown anywhere below the handler, answered as a problem by the handler's edge. */
export class ApiError extends Error {
  constructor(
    readonly code: ApiErrorCode,
    readonly more: { detail?: string; errors?: readonly Fault[]; headers?: Record<string, string> } = {},
  ) {
    super(code);
  }
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const IDEMPOTENCY_KEY = /^[A-Za-z0-9_-]{1,128}$/;

/** Room for HTML and text of 512 KB each, and for JSON's escapes; below what Lambda takes. */
const LARGEST_BODY = 4 * 1024 * 1024;

/** The caller's own correlation id if it is a sane one, ours otherwise. */
export function requestIdOf(event: ApiEvent): string {
  const given = event.headers['x-request-id'];
  return given !== undefined && REQUEST_ID.test(given) ? given : event.requestContext.requestId;
}

export function idempotencyKeyOf(event: ApiEvent): string | undefined {
  const key = event.headers['idempotency-key'];
  if (key !== undefined && !IDEMPOTENCY_KEY.test(key)) {
    throw new ApiError('INVALID_IDEMPOTENCY_KEY', { detail: 'Use 1 to 128 characters of A-Z a-z 0-9 _ -.' });
  }
  return key;
}

const REFUSALS: Record<Exclude<Verdict['verdict'], 'allowed'>, ApiErrorCode> = {
  missing: 'API_KEY_MISSING',
  unknown: 'API_KEY_UNKNOWN',
  expired: 'API_KEY_EXPIRED',
  revoked: 'API_KEY_REVOKED',
  address: 'ADDRESS_NOT_ALLOWED',
  suspended: 'COMPANY_SUSPENDED',
};

export function callerOf(event: ApiEvent): Caller {
  const verdict = event.requestContext.authorizer?.lambda;
  if (!verdict) throw new ApiError('API_KEY_MISSING');
  if (verdict.verdict !== 'allowed') throw new ApiError(REFUSALS[verdict.verdict]);
  return verdict;
}

export function jsonBodyOf(event: ApiEvent): unknown {
  const type = event.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  const body = event.isBase64Encoded
    ? Buffer.from(event.body ?? '', 'base64').toString('utf8')
    : (event.body ?? '');
  if (Buffer.byteLength(body, 'utf8') > LARGEST_BODY) {
    throw new ApiError('BODY_TOO_LARGE', { detail: `At most ${LARGEST_BODY} bytes.` });
  }
  try {
    return JSON.parse(body);
  } catch {
    throw new ApiError('MALFORMED_JSON');
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): ApiResult {
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** DynamoDB, S3 and Secrets Manager say by these names that trying again later will help. */
const PASSING = new RegExp(
  [
    ...['Throttl', 'ProvisionedThroughput', 'RequestLimit', 'TransactionConflict', 'TransactionInProgress'],
    ...['ServiceUnavailable', 'InternalServerError', 'TimeoutError', 'ECONN'],
  ].join('|'),
);

/** What the caller may know about an error: our own words, and nothing of ours inside. */
export function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof ApiError) {
    const { headers, ...more } = error.more;
    return problem(error.code, requestId, more);
  }
  const name = String((error as Partial<Error> | undefined)?.name);
  return problem(PASSING.test(name) ? 'UNAVAILABLE' : 'INTERNAL_ERROR', requestId);
}

export function problemResult(error: unknown, requestId: string): ApiResult {
  const body = problemOf(error, requestId);
  const headers = error instanceof ApiError ? error.more.headers : {};
  return json(body.status, body, { 'content-type': 'application/problem+json', ...headers });
}
