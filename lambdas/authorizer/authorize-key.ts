import { judgeKey, keyIdOf, type Verdict } from '../../shared/domain/api-key.ts';
import type { Keyring } from '../../shared/domain/keyring.ts';
import type { TenantStore } from '../../shared/ports/tenant-store.ts';

export interface AuthorizePorts {
  readonly tenants: Pick<TenantStore, 'getApiKey' | 'getCompany'>;
  readonly keyring: () => Promise<Keyring>;
  readonly now: () => number;
}

export interface Presented {
  readonly key: string | undefined;
  readonly sourceIp: string;
}

/** A revoked key or a suspended company is noticed at most this much later. */
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 10_000;

/** Remembers verdicts by key and source address for a minute. */
export function keyAuthorizer(ports: AuthorizePorts): (presented: Presented) => Promise<Verdict> {
  const remembered = new Map<string, { verdict: Verdict; until: number }>();

  return async ({ key, sourceIp }) => {
    if (key === undefined || key === '') return { verdict: 'missing' };
    const name = `${sourceIp} ${key}`;
    const known = remembered.get(name);
    if (known && known.until > ports.now()) return known.verdict;

    const verdict = await lookUp({ key, sourceIp }, ports);
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(name, { verdict, until: ports.now() + REMEMBERED_MS });
    return verdict;
  };
}

async function lookUp(presented: { key: string; sourceIp: string }, ports: AuthorizePorts): Promise<Verdict> {
  const keyId = keyIdOf(presented.key);
  if (keyId === undefined) return { verdict: 'unknown' };
  const record = await ports.tenants.getApiKey(keyId);
  const company = record && (await ports.tenants.getCompany(record.companyId));
  return judgeKey(await ports.keyring(), presented, record, company, ports.now());
}
