import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, fingerprint, matchesFingerprint } from '../../../shared/domain/fingerprint.ts';
import { aKeyring } from '../../factories/a-keyring.ts';
import { aSendBody, aSendRequest } from '../../factories/a-send-request.ts';

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, entry]) => [key, reversed(entry)]),
  );
}

describe('canonical JSON', () => {
  it('means the same document', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('does not depend on the order of keys, at any depth', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => canonicalJson(value) === canonicalJson(reversed(value))),
    );
    expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
  });

  it('does depend on the order of a list', () => {
    expect(canonicalJson(['a', 'b'])).not.toBe(canonicalJson(['b', 'a']));
  });
});

describe('a fingerprint', () => {
  const body = aSendBody({ tags: ['a', 'b'], recipient: { cpfCnpj: '529.982.247-25', nome: 'Ana' } });

  it('is a versioned HMAC in which the request cannot be read', () => {
    expect(fingerprint(aKeyring(), body)).toMatch(/^v1:[0-9a-f]{64}$/);
    expect(fingerprint(aKeyring(3), body)).toMatch(/^v3:/);
  });

  it('matches the same request with its keys in another order', () => {
    expect(matchesFingerprint(aKeyring(), fingerprint(aKeyring(), body), reversed(body))).toBe(true);
  });

  it.each([
    ['another subject', { ...body, subject: 'Olá!' }],
    ['a default written out', { ...body, priority: 5 }],
    ['another order of tags', { ...body, tags: ['b', 'a'] }],
    ['another spelling of the document', { ...body, recipient: { cpfCnpj: '52998224725', nome: 'Ana' } }],
  ])('does not match %s', (_case, other) => {
    expect(matchesFingerprint(aKeyring(), fingerprint(aKeyring(), body), other)).toBe(false);
  });

  it('is of the request as received: defaults would make it another', () => {
    const received = aSendBody();
    expect(fingerprint(aKeyring(), aSendRequest())).not.toBe(fingerprint(aKeyring(), received));
  });

  it('still matches after the key was rotated', () => {
    const stored = fingerprint(aKeyring(1), body);
    expect(matchesFingerprint(aKeyring(2), stored, body)).toBe(true);
    expect(fingerprint(aKeyring(2), body)).not.toBe(stored);
  });

  it.each([[''], ['v1:'], ['v1:abc'], [`${'a'.repeat(64)}`], [`vx:${'a'.repeat(64)}`]])(
    'that is not one matches nothing: "%s"',
    (stored) => {
      expect(matchesFingerprint(aKeyring(), stored, body)).toBe(false);
    },
  );
});
