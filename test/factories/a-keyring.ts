import { parseKeyring, type Keyring } from '../../shared/domain/keyring.ts';

/** A keyring of versions 1 to `newest`; the same version always has the same root. */
export function aKeyring(newest = 1): Keyring {
  const versions = Array.from({ length: newest }, (_, i) => i + 1);
  return parseKeyring(
    JSON.stringify(Object.fromEntries(versions.map((v) => [v, `root secret number ${v}, for tests only`]))),
  );
}
