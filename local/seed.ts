import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createApiKey } from '../shared/domain/api-key.ts';
import type { ApiKeyRecord, Company } from '../shared/domain/company.ts';
import type { Keyring } from '../shared/domain/keyring.ts';
import { DEFAULT_BULK_LANES } from '../shared/domain/lanes.ts';
import type { TenantStore } from '../shared/ports/tenant-store.ts';

export interface SeedPorts {
  readonly tenants: TenantStore;
  readonly keyring: Keyring;
  /** Keeps the clear keys, so that a restart gives out the same ones. */
  readonly path: string;
  readonly now: number;
}

export interface Seeded {
  readonly companies: { readonly demo: string; readonly other: string };
  readonly apiKeys: { readonly demo: string; readonly other: string; readonly test: string };
}

/** Always the same, so that a script or a bookmark outlives the data dir. */
export const COMPANY_IDS = {
  demo: '11111111-1111-4111-8111-111111111111',
  other: '22222222-2222-4222-8222-222222222222',
} as const;

const COMPANIES: readonly Company[] = [
  { companyId: COMPANY_IDS.demo, name: 'Demo', bulkLanes: DEFAULT_BULK_LANES, suspended: false },
  { companyId: COMPANY_IDS.other, name: 'Other', bulkLanes: DEFAULT_BULK_LANES, suspended: false },
];

const KEY_OWNERS = {
  demo: { companyId: COMPANY_IDS.demo, mode: 'live' },
  other: { companyId: COMPANY_IDS.other, mode: 'live' },
  test: { companyId: COMPANY_IDS.demo, mode: 'test' },
} as const;

type SeedKeys = Record<keyof typeof KEY_OWNERS, { key: string; record: ApiKeyRecord }>;

/** Two companies with a key each, and a test key. What is there already stays as it is. */
export async function seed({ tenants, keyring, path, now }: SeedPorts): Promise<Seeded> {
  const keys = readKeys(path) ?? createKeys(path, keyring, now);
  for (const company of COMPANIES) {
    if (!(await tenants.getCompany(company.companyId))) await tenants.putCompany(company);
  }
  for (const { record } of Object.values(keys)) {
    if (!(await tenants.getApiKey(record.keyId))) await tenants.putApiKey(record);
  }
  return {
    companies: COMPANY_IDS,
    apiKeys: { demo: keys.demo.key, other: keys.other.key, test: keys.test.key },
  };
}

function readKeys(path: string): SeedKeys | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as SeedKeys) : undefined;
}

function createKeys(path: string, keyring: Keyring, now: number): SeedKeys {
  const create = (owner: keyof typeof KEY_OWNERS) =>
    createApiKey(keyring, KEY_OWNERS[owner], now, randomBytes);
  const keys = { demo: create('demo'), other: create('other'), test: create('test') };
  writeFileSync(`${path}.new`, JSON.stringify(keys, null, 2), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return keys;
}
