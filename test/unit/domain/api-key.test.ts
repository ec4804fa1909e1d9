import { describe, expect, it } from 'vitest';
import { createApiKey, judgeKey, keyIdOf } from '../../../shared/domain/api-key.ts';
import type { ApiKeyRecord, Company } from '../../../shared/domain/company.ts';
import { aCompany, COMPANY_ID } from '../../factories/a-company.ts';
import { aKeyring } from '../../factories/a-keyring.ts';
import { iso, NOW } from '../../factories/moments.ts';
import { countingBytes } from '../../factories/random-bytes.ts';

const IP = '203.0.113.7';
const owner = { companyId: COMPANY_ID, mode: 'live' } as const;
const { key, record } = createApiKey(aKeyring(), owner, NOW, countingBytes());

function verdictOn(
  over: { record?: Partial<ApiKeyRecord>; company?: Partial<Company>; key?: string; sourceIp?: string } = {},
) {
  const presented = { key: over.key ?? key, sourceIp: over.sourceIp ?? IP };
  return judgeKey(aKeyring(), presented, { ...record, ...over.record }, aCompany(over.company), NOW).verdict;
}

describe('a new key', () => {
  it('has a prefix, an id and a secret', () => {
    expect(key).toMatch(/^eg_live_[a-z0-9]{12}_[a-z0-9]{40}$/);
    const test = createApiKey(aKeyring(), { ...owner, mode: 'test' }, NOW, countingBytes());
    expect(test.key).toMatch(/^eg_test_[a-z0-9]{12}_[a-z0-9]{40}$/);
    expect(test.record.mode).toBe('test');
  });

  it('is kept only as a hash', () => {
    expect(record).toEqual({
      ...owner,
      keyId: keyIdOf(key),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      hashVersion: 1,
      createdAt: iso(NOW),
    });
    expect(JSON.stringify(record)).not.toContain(key.split('_')[3]);
  });

  it('differs from the next one in id and in secret', () => {
    const random = countingBytes();
    const [a, b] = [
      createApiKey(aKeyring(), owner, NOW, random),
      createApiKey(aKeyring(), owner, NOW, random),
    ];
    expect(a.record.keyId).not.toBe(b.record.keyId);
    expect(a.key.split('_')[3]).not.toBe(b.key.split('_')[3]);
  });

  it('makes every byte a letter or a digit', () => {
    const all = createApiKey(aKeyring(), owner, NOW, (n) => Uint8Array.from({ length: n }, (_, i) => i * 7));
    expect(keyIdOf(all.key)).toBe(all.record.keyId);
  });
});

it.each([
  [''],
  ['eg_live_short_secret'],
  [key.toUpperCase()],
  [`${key}x`],
  [` ${key}`],
  [`${key}\n`],
  [key.replace('live', 'prod')],
])('"%s" cannot be a key', (text) => {
  expect(keyIdOf(text)).toBeUndefined();
});

describe('the verdict', () => {
  it('lets a good key in and says whose it is', () => {
    expect(judgeKey(aKeyring(), { key, sourceIp: IP }, record, aCompany({ bulkLanes: 7 }), NOW)).toEqual({
      verdict: 'allowed',
      companyId: COMPANY_ID,
      keyId: record.keyId,
      mode: 'live',
      bulkLanes: 7,
    });
  });

  it('is unknown without a record or a company', () => {
    const presented = { key, sourceIp: IP };
    expect(judgeKey(aKeyring(), presented, undefined, aCompany(), NOW)).toEqual({ verdict: 'unknown' });
    expect(judgeKey(aKeyring(), presented, record, undefined, NOW)).toEqual({ verdict: 'unknown' });
  });

  it.each([
    ['another secret', { key: key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')) }],
    ['another mode', { key: key.replace('live', 'test') }],
    ['a hash cut short', { record: { hash: record.hash.slice(1) } }],
    ['a version that was withdrawn', { record: { hashVersion: 9 } }],
  ])('is unknown for %s', (_case, over) => {
    expect(verdictOn(over)).toBe('unknown');
  });

  it.each([
    ['revokedAt', NOW + 1, 'allowed'],
    ['revokedAt', NOW, 'revoked'],
    ['revokedAt', NOW - 1, 'revoked'],
    ['expiresAt', NOW + 1, 'allowed'],
    ['expiresAt', NOW, 'expired'],
    ['expiresAt', NOW - 1, 'expired'],
  ])('with %s at %i is %3$s', (field, at, verdict) => {
    expect(verdictOn({ record: { [field]: iso(at) } })).toBe(verdict);
  });

  it.each([
    [[IP], 'allowed'],
    [['198.51.100.1', IP], 'allowed'],
    [['198.51.100.1'], 'address'],
    [['203.0.113.70'], 'address'],
    [[], 'address'],
  ])('from one of %o is %s', (allowedIps, verdict) => {
    expect(verdictOn({ record: { allowedIps } })).toBe(verdict);
  });

  it('stops a suspended company', () => {
    expect(verdictOn({ company: { suspended: true } })).toBe('suspended');
  });

  it('tells nothing about a key to one who does not have it', () => {
    const over = { record: { revokedAt: iso(NOW), allowedIps: [] }, company: { suspended: true } };
    expect(verdictOn({ ...over, key: `${key.slice(0, -3)}zzz` })).toBe('unknown');
    expect(verdictOn(over)).toBe('revoked');
  });

  it('holds for a key hashed with an older root', () => {
    expect(judgeKey(aKeyring(2), { key, sourceIp: IP }, record, aCompany(), NOW).verdict).toBe('allowed');
  });
});
