import { timingSafeEqual } from 'node:crypto';
import { keyedHash, type Keyring } from './keyring.ts';

/**
 * Where a listing goes on. Signed for one company and one set of filters: a cursor of another company, or of another
 * question, is no cursor.
 */
export function formatCursor(keyring: Keyring, companyId: string, filters: string, position: string): string {
  const { version, hex } = sign(keyring, companyId, filters, position);
  return Buffer.from(JSON.stringify([version, position, hex]), 'utf8').toString('base64url');
}

/** The position, or undefined if this is not a cursor for this company and these filters. */
export function parseCursor(
  keyring: Keyring,
  companyId: string,
  filters: string,
  cursor: string,
): string | undefined {
  const [version, position, hex] = decode(cursor);
  if (typeof version !== 'number' || typeof position !== 'string' || typeof hex !== 'string')
    return undefined;
  if (!keyring.roots.has(version)) return undefined;
  const expected = Buffer.from(sign(keyring, companyId, filters, position, version).hex);
  const given = Buffer.from(hex);
  return given.length === expected.length && timingSafeEqual(given, expected) ? position : undefined;
}

function sign(keyring: Keyring, companyId: string, filters: string, position: string, version?: number) {
  return keyedHash(keyring, 'cursor', JSON.stringify([companyId, filters, position]), version);
}

function decode(cursor: string): unknown[] {
  try {
    const decoded: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(decoded) ? decoded : [];
  } catch {
    return [];
  }
}
