import { describe, expect, it } from 'vitest';
import { keyedHash, newestVersion, parseKeyring, type KeyPurpose } from '../../../shared/domain/keyring.ts';
import { aKeyring } from '../../factories/a-keyring.ts';

const ROOT = 'r'.repeat(32);
const PURPOSES: KeyPurpose[] = ['api-key', 'cpf-cnpj', 'external-id', 'fingerprint', 'recipient-id'];

describe('the secret', () => {
  it('holds roots by version', () => {
    const keyring = parseKeyring(JSON.stringify({ 2: ROOT, 1: `${ROOT}x`, 10: ROOT }));
    expect([...keyring.roots.keys()].sort((a, b) => a - b)).toEqual([1, 2, 10]);
    expect(newestVersion(keyring)).toBe(10);
  });

  it.each([
    ['no JSON', 'top-secret-root-without-quotes', 'is not a JSON object'],
    ['a number', '5', 'is not a JSON object'],
    ['null', 'null', 'is not a JSON object'],
    ['no version 1', JSON.stringify({ 2: ROOT }), 'no version 1'],
    ['nothing', '{}', 'no version 1'],
    ['a list', JSON.stringify([ROOT]), 'bad entry "0"'],
    ['version 0', JSON.stringify({ 1: ROOT, 0: ROOT }), 'bad entry "0"'],
    ['a version in words', JSON.stringify({ 1: ROOT, new: ROOT }), 'bad entry "new"'],
    ['a leading zero', JSON.stringify({ 1: ROOT, '01': ROOT }), 'bad entry "01"'],
    ['a short root', JSON.stringify({ 1: 'r'.repeat(31) }), 'bad entry "1"'],
    ['a root that is no text', JSON.stringify({ 1: 42 }), 'bad entry "1"'],
  ])('with %s is refused', (_case, secret, message) => {
    expect(() => parseKeyring(secret)).toThrow(message);
  });

  it.each([['top-secret-root'], [`{"1": "${ROOT}`], [`{"1": "top-secret-root"}`]])(
    'is never quoted in the error',
    (secret) => {
      expect(() => parseKeyring(secret)).toThrow(
        expect.objectContaining({ message: expect.not.stringMatching(/top-secret|rrrr/) as string }),
      );
    },
  );
});

describe('a keyed hash', () => {
  it('is 64 hex characters, the same each time', () => {
    const first = keyedHash(aKeyring(), 'api-key', 'text');
    expect(first).toEqual({ version: 1, hex: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(keyedHash(aKeyring(), 'api-key', 'text')).toEqual(first);
  });

  it('is worth nothing for another purpose, version, text or root', () => {
    const other = parseKeyring(JSON.stringify({ 1: 'another root secret, also for tests' }));
    const hashes = [
      ...PURPOSES.map((purpose) => keyedHash(aKeyring(), purpose, 'text').hex),
      keyedHash(aKeyring(2), 'api-key', 'text').hex,
      keyedHash(aKeyring(), 'api-key', 'texT').hex,
      keyedHash(other, 'api-key', 'text').hex,
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('uses the newest version, or the one asked for', () => {
    expect(keyedHash(aKeyring(3), 'api-key', 'text').version).toBe(3);
    expect(keyedHash(aKeyring(3), 'api-key', 'text', 1)).toEqual(keyedHash(aKeyring(1), 'api-key', 'text'));
  });

  it('throws for a version that is not there', () => {
    expect(() => keyedHash(aKeyring(1), 'api-key', 'text', 2)).toThrow('the keyring has no version 2');
  });
});
