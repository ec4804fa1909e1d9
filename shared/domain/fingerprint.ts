import { timingSafeEqual } from 'node:crypto';
import { keyedHash, type Keyring } from './keyring.ts';

/** JSON with sorted keys: two spellings of one document compare equal. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/**
 * Taken of the request as it was received, before any default is filled in: a deploy that adds a default
 * must not turn a partner's retry into a conflict. Keyed, because a request may hold a CPF.
 */
export function fingerprint(keyring: Keyring, received: unknown): string {
  const { version, hex } = keyedHash(keyring, 'fingerprint', canonicalJson(received));
  return `v${version}:${hex}`;
}

export function matchesFingerprint(keyring: Keyring, stored: string, received: unknown): boolean {
  const [, version, hex] = /^v(\d+):([0-9a-f]{64})$/.exec(stored) ?? [];
  if (version === undefined || hex === undefined) return false;
  const again = keyedHash(keyring, 'fingerprint', canonicalJson(received), Number(version)).hex;
  return timingSafeEqual(Buffer.from(hex, 'hex'), Buffer.from(again, 'hex'));
}
