import { describe, expect, it } from 'vitest';
import { API_ERRORS, jsonPointer, problem, type ApiErrorCode } from '../../../shared/domain/api-errors.ts';

const ANSWERS = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503];

describe('a problem', () => {
  it.each<[ApiErrorCode, number]>([
    ['MALFORMED_JSON', 400],
    ['INVALID_IDEMPOTENCY_KEY', 400],
    ['API_KEY_MISSING', 401],
    ['API_KEY_UNKNOWN', 401],
    ['API_KEY_EXPIRED', 401],
    ['API_KEY_REVOKED', 401],
    ['ADDRESS_NOT_ALLOWED', 403],
    ['COMPANY_SUSPENDED', 403],
    ['NOT_FOUND', 404],
    ['EMAIL_NOT_FOUND', 404],
    ['METHOD_NOT_ALLOWED', 405],
    ['IDEMPOTENCY_CONFLICT', 409],
    ['NOT_CANCELABLE', 409],
    ['BODY_TOO_LARGE', 413],
    ['UNSUPPORTED_MEDIA_TYPE', 415],
    ['VALIDATION_FAILED', 422],
    ['INTERNAL_ERROR', 500],
    ['UNAVAILABLE', 503],
  ])('%s is a %i', (code, status) => {
    const answer = problem(code, 'req-1');
    expect(answer).toEqual({
      type: 'about:blank',
      title: API_ERRORS[code].title,
      status,
      code,
      requestId: 'req-1',
    });
  });

  it('carries what more there is to say', () => {
    const more = { detail: 'Which one?', errors: [{ pointer: '/to', message: 'must be an e-mail address' }] };
    expect(problem('VALIDATION_FAILED', 'req-1', more)).toMatchObject(more);
  });

  it.each(Object.entries(API_ERRORS))(
    '%s is one of the answers of the API, in a sentence',
    (_code, error) => {
      expect(ANSWERS).toContain(error.status);
      expect(error.title).toMatch(/^[A-Z].*\.$/);
    },
  );
});

it.each<[PropertyKey[], string]>([
  [[], ''],
  [['to'], '/to'],
  [['recipient', 'cpfCnpj'], '/recipient/cpfCnpj'],
  [['cc', 1], '/cc/1'],
  [['headers', 'a/b~c'], '/headers/a~1b~0c'],
  [['~1'], '/~01'],
])('%o is pointed at by "%s"', (path, pointer) => {
  expect(jsonPointer(path)).toBe(pointer);
});
