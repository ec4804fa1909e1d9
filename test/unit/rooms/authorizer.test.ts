import { describe, expect, it } from 'vitest';
import { keyAuthorizer } from '../../../lambdas/authorizer/authorize-key.ts';
import { createApiKey } from '../../../shared/domain/api-key.ts';
import type { ApiKeyRecord, Company } from '../../../shared/domain/company.ts';
import { aCompany, COMPANY_ID } from '../../factories/a-company.ts';
import { aKeyring } from '../../factories/a-keyring.ts';
import { iso, MINUTE, NOW, SECOND } from '../../factories/moments.ts';
import { countingBytes } from '../../factories/random-bytes.ts';
import { MemoryTenantStore } from '../../fakes/memory-tenant-store.ts';
import { TestClock } from '../../fakes/test-clock.ts';

const keyring = aKeyring();
const { key, record } = createApiKey(keyring, { companyId: COMPANY_ID, mode: 'test' }, NOW, countingBytes());

function anAuthorizer(changed: Partial<ApiKeyRecord> = {}, company: Partial<Company> = {}) {
  const clock = new TestClock();
  const tenants = new MemoryTenantStore(aCompany(company));
  tenants.apiKeys.set(record.keyId, { ...record, ...changed });
  const asked: string[] = [];
  const authorize = keyAuthorizer({
    tenants: {
      getApiKey: (keyId) => {
        asked.push(keyId);
        return tenants.getApiKey(keyId);
      },
      getCompany: (companyId) => tenants.getCompany(companyId),
    },
    keyring: () => Promise.resolve(keyring),
    now: clock.now,
  });
  return { authorize, clock, tenants, asked };
}

const HOME = '203.0.113.7';

describe('the verdict', () => {
  it('is the company, its lanes and the mode of the key', async () => {
    const { authorize } = anAuthorizer({}, { bulkLanes: 8 });
    expect(await authorize({ key, sourceIp: HOME })).toEqual({
      verdict: 'allowed',
      companyId: COMPANY_ID,
      keyId: record.keyId,
      mode: 'test',
      bulkLanes: 8,
    });
  });

  it.each<[string, Partial<ApiKeyRecord>, Partial<Company>]>([
    ['unknown', { hash: '0'.repeat(64) }, {}],
    ['revoked', { revokedAt: iso(NOW - SECOND) }, {}],
    ['expired', { expiresAt: iso(NOW) }, {}],
    ['address', { allowedIps: ['198.51.100.1'] }, {}],
    ['suspended', {}, { suspended: true }],
  ])('is %s', async (verdict, changed, company) => {
    const { authorize } = anAuthorizer(changed, company);
    expect(await authorize({ key, sourceIp: HOME })).toEqual({ verdict });
  });

  it.each([undefined, ''])('is missing without a key (%j)', async (none) => {
    expect(await anAuthorizer().authorize({ key: none, sourceIp: HOME })).toEqual({ verdict: 'missing' });
  });

  it('on something that cannot be a key asks nobody', async () => {
    const { authorize, asked } = anAuthorizer();
    expect(await authorize({ key: 'eg_live_nonsense', sourceIp: HOME })).toEqual({ verdict: 'unknown' });
    expect(asked).toEqual([]);
  });
});

describe('what it remembers', () => {
  it('is a verdict, for a minute', async () => {
    const { authorize, clock, tenants, asked } = anAuthorizer();
    await authorize({ key, sourceIp: HOME });
    tenants.apiKeys.set(record.keyId, { ...record, revokedAt: iso(NOW) });
    clock.advance(MINUTE - 1);
    expect(await authorize({ key, sourceIp: HOME })).toMatchObject({ verdict: 'allowed' });
    clock.advance(1);
    expect(await authorize({ key, sourceIp: HOME })).toEqual({ verdict: 'revoked' });
    expect(asked).toHaveLength(2);
  });

  it('holds for one address only', async () => {
    const { authorize } = anAuthorizer({ allowedIps: [HOME] });
    expect(await authorize({ key, sourceIp: HOME })).toMatchObject({ verdict: 'allowed' });
    expect(await authorize({ key, sourceIp: '198.51.100.9' })).toEqual({ verdict: 'address' });
  });

  it('has an end: ten thousand strangers do not stay', async () => {
    const { authorize, asked } = anAuthorizer();
    await authorize({ key, sourceIp: HOME });
    for (let i = 0; i < 10_000; i += 1) await authorize({ key: `k${i}`, sourceIp: HOME });
    await authorize({ key, sourceIp: HOME });
    expect(asked).toHaveLength(2);
  });

  it('is no failure: a store that fails is asked again', async () => {
    const { tenants } = anAuthorizer();
    let down = true;
    const authorize = keyAuthorizer({
      tenants: {
        getApiKey: (keyId) => (down ? Promise.reject(new Error('down')) : tenants.getApiKey(keyId)),
        getCompany: (companyId) => tenants.getCompany(companyId),
      },
      keyring: () => Promise.resolve(keyring),
      now: () => NOW,
    });
    await expect(authorize({ key, sourceIp: HOME })).rejects.toThrow('down');
    down = false;
    expect(await authorize({ key, sourceIp: HOME })).toMatchObject({ verdict: 'allowed' });
  });
});
