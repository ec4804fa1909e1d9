import type { z } from 'zod';

/** The closed list of what the API may answer when it says no. Stable: partners switch on `code`. */
export const API_ERRORS = {
  MALFORMED_JSON: { status: 400, title: 'The body is not valid JSON.' },
  INVALID_IDEMPOTENCY_KEY: { status: 400, title: 'The Idempotency-Key header is not valid.' },
  API_KEY_MISSING: { status: 401, title: 'The X-API-Key header is missing.' },
  API_KEY_UNKNOWN: { status: 401, title: 'The API key is not known.' },
  API_KEY_EXPIRED: { status: 401, title: 'The API key has expired.' },
  API_KEY_REVOKED: { status: 401, title: 'The API key was revoked.' },
  ADDRESS_NOT_ALLOWED: { status: 403, title: 'This API key may not be used from this address.' },
  COMPANY_SUSPENDED: { status: 403, title: 'The company is suspended.' },
  INVALID_CURSOR: { status: 400, title: 'The cursor does not belong to this question.' },
  NOT_FOUND: { status: 404, title: 'There is nothing here.' },
  EMAIL_NOT_FOUND: { status: 404, title: 'There is no such e-mail.' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This method is not allowed here.' },
  IDEMPOTENCY_CONFLICT: { status: 409, title: 'The Idempotency-Key was used before with another request.' },
  NOT_CANCELABLE: { status: 409, title: 'The e-mail cannot be canceled any more.' },
  BODY_TOO_LARGE: { status: 413, title: 'The body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The body must be application/json.' },
  VALIDATION_FAILED: { status: 422, title: 'The request is not valid.' },
  INTERNAL_ERROR: {
    status: 500,
    title: 'Something went wrong on our side. Try again with the same Idempotency-Key.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'A service we depend on is not available. Try again with the same Idempotency-Key.',
  },
} as const;

export type ApiErrorCode = keyof typeof API_ERRORS;

export interface Fault {
  /** JSON pointer into the request body. */
  readonly pointer: string;
  readonly message: string;
}

/** RFC 9457. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly requestId: string;
  readonly detail?: string;
  readonly errors?: readonly Fault[];
}

export function problem(
  code: ApiErrorCode,
  requestId: string,
  more: { detail?: string; errors?: readonly Fault[] } = {},
): Problem {
  const { status, title } = API_ERRORS[code];
  return { type: 'about:blank', title, status, code, requestId, ...more };
}

/** `['recipient', 'cpfCnpj']` → `/recipient/cpfCnpj`. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Where a request breaks its schema, in words for the one who wrote it. */
export function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: jsonPointer([...issue.path, key]),
      message: 'is not a known field',
    }));
  }
  return [{ pointer: jsonPointer(issue.path), message: issue.message }];
}
