import { describe, expect, it } from 'vitest';
import { endingWithin } from '../../../ops/keys.ts';
import type { ApiKeyRecord } from '../../../shared/domain/company.ts';
import { COMPANY_ID } from '../../factories/a-company.ts';

const record: ApiKeyRecord = {
  keyId: 'abcdefgh2345',
  companyId: COMPANY_ID,
  mode: 'live',
  hash: 'ab',
  hashVersion: 1,
  createdAt: '2026-03-01T12:00:00.000Z',
};
const LATEST = Date.parse('2026-03-02T12:00:00.000Z');

describe('a key that is replaced', () => {
  it('ends with the overlap', () => {
    expect(endingWithin(record, LATEST)).toEqual({ ...record, expiresAt: '2026-03-02T12:00:00.000Z' });
  });

  it('ends with the overlap if it would have lived longer', () => {
    const long = { ...record, expiresAt: '2027-01-01T00:00:00.000Z' };
    expect(endingWithin(long, LATEST).expiresAt).toBe('2026-03-02T12:00:00.000Z');
  });

  it('does not live longer than it would have', () => {
    const short = { ...record, expiresAt: '2026-03-01T13:00:00.000Z' };
    expect(endingWithin(short, LATEST)).toEqual(short);
  });
});
