import { createHmac, hkdfSync } from 'node:crypto';

/** Root secrets by version. New hashes use the newest; look-ups may have to try every one. */
export interface Keyring {
  readonly roots: ReadonlyMap<number, string>;
}

export type KeyPurpose = 'api-key' | 'cpf-cnpj' | 'cursor' | 'external-id' | 'fingerprint' | 'recipient-id';

/** What the keyring secret holds: `{"1": "…", "2": "…"}`. */
export function parseKeyring(secret: string): Keyring {
  const parsed = parseJson(secret);
  if (typeof parsed !== 'object' || parsed === null)
    throw new Error('the keyring secret is not a JSON object');
  const roots = new Map<number, string>();
  for (const [version, root] of Object.entries(parsed)) {
    if (!/^[1-9]\d*$/.test(version) || typeof root !== 'string' || root.length < 32) {
      throw new Error(
        `the keyring secret has a bad entry "${version}": a version number and 32 characters are needed`,
      );
    }
    roots.set(Number(version), root);
  }
  if (!roots.has(1)) throw new Error('the keyring secret has no version 1');
  return { roots };
}

/** The parser's own error would quote the secret. */
function parseJson(secret: string): unknown {
  try {
    return JSON.parse(secret);
  } catch {
    return undefined;
  }
}

export function newestVersion(keyring: Keyring): number {
  return Math.max(...keyring.roots.keys());
}

export interface KeyedHash {
  readonly version: number;
  readonly hex: string;
}

/** HMAC-SHA-256 with a key derived for the purpose, so that one hash is never worth anything elsewhere. */
export function keyedHash(keyring: Keyring, purpose: KeyPurpose, text: string, version?: number): KeyedHash {
  const used = version ?? newestVersion(keyring);
  const hex = createHmac('sha256', derivedKey(keyring, purpose, used))
    .update(text, 'utf8')
    .digest('hex');
  return { version: used, hex };
}

const derived = new WeakMap<Keyring, Map<string, Buffer>>();

function derivedKey(keyring: Keyring, purpose: KeyPurpose, version: number): Buffer {
  const cache = derived.get(keyring) ?? new Map<string, Buffer>();
  derived.set(keyring, cache);
  const name = `${purpose}:${version}`;
  const cached = cache.get(name);
  if (cached) return cached;
  const root = keyring.roots.get(version);
  if (root === undefined) throw new Error(`the keyring has no version ${version}`);
  const key = Buffer.from(hkdfSync('sha256', root, 'email-gateway', name, 32));
  cache.set(name, key);
  return key;
}
