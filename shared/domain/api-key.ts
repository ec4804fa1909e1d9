import { timingSafeEqual } from 'node:crypto';
import type { ApiKeyRecord, Company } from './company.ts';
import type { Mode } from './email.ts';
import { keyedHash, type Keyring } from './keyring.ts';

const FORMAT = /^eg_(live|test)_([a-z0-9]{12})_([a-z0-9]{40})$/;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz012345';

/** The clear key is shown once, to whoever asked for it, and kept nowhere. */
export function createApiKey(
  keyring: Keyring,
  owner: { companyId: string; mode: Mode; expiresAt?: string; allowedIps?: readonly string[] },
  now: number,
  random: (bytes: number) => Uint8Array,
): { key: string; record: ApiKeyRecord } {
  const keyId = letters(random(12));
  const key = `eg_${owner.mode}_${keyId}_${letters(random(40))}`;
  const { hex, version } = keyedHash(keyring, 'api-key', key);
  return {
    key,
    record: { ...owner, keyId, hash: hex, hashVersion: version, createdAt: new Date(now).toISOString() },
  };
}

/** The id under which the key is stored; undefined if this cannot be one of our keys. */
export function keyIdOf(key: string): string | undefined {
  return FORMAT.exec(key)?.[2];
}

export type Verdict =
  | {
      readonly verdict: 'allowed';
      readonly companyId: string;
      readonly keyId: string;
      readonly mode: Mode;
      readonly bulkLanes: number;
    }
  | { readonly verdict: 'missing' | 'unknown' | 'expired' | 'revoked' | 'address' | 'suspended' };

/** Whether this key, from this address, at this moment, may come in. The secret is compared first, in constant time. */
export function judgeKey(
  keyring: Keyring,
  presented: { key: string; sourceIp: string },
  record: ApiKeyRecord | undefined,
  company: Company | undefined,
  now: number,
): Verdict {
  if (!record || !company || !matches(keyring, presented.key, record)) return { verdict: 'unknown' };
  if (record.revokedAt !== undefined && Date.parse(record.revokedAt) <= now) return { verdict: 'revoked' };
  if (record.expiresAt !== undefined && Date.parse(record.expiresAt) <= now) return { verdict: 'expired' };
  if (record.allowedIps !== undefined && !record.allowedIps.includes(presented.sourceIp))
    return { verdict: 'address' };
  if (company.suspended) return { verdict: 'suspended' };
  const { companyId, keyId, mode } = record;
  return { verdict: 'allowed', companyId, keyId, mode, bulkLanes: company.bulkLanes };
}

function matches(keyring: Keyring, key: string, record: ApiKeyRecord): boolean {
  if (!keyring.roots.has(record.hashVersion)) return false;
  const hash = keyedHash(keyring, 'api-key', key, record.hashVersion).hex;
  return hash.length === record.hash.length && timingSafeEqual(Buffer.from(hash), Buffer.from(record.hash));
}

/** 5 bits a character, without bias. */
function letters(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => ALPHABET[byte & 31]).join('');
}
