import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashCpfCnpj, normaliseCpfCnpj } from '../../../shared/domain/cpf-cnpj.ts';
import { COMPANY_ID, OTHER_COMPANY_ID } from '../../factories/a-company.ts';
import { aKeyring } from '../../factories/a-keyring.ts';

describe('a document', () => {
  it.each([
    ['529.982.247-25', '52998224725'],
    ['52998224725', '52998224725'],
    [' 529 982 247 25 ', '52998224725'],
    ['111.444.777-35', '11144477735'],
    ['123.456.789-09', '12345678909'],
    ['11.222.333/0001-81', '11222333000181'],
    ['11222333000181', '11222333000181'],
    ['00.000.000/0001-91', '00000000000191'],
    ['12.ABC.345/01DE-35', '12ABC34501DE35'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
    ['12abc34501de35', '12ABC34501DE35'],
  ])('%s is good, as %s', (written, normalised) => {
    expect(normaliseCpfCnpj(written)).toBe(normalised);
  });

  it.each([
    ['a wrong first check digit', '529.982.247-35'],
    ['a wrong second check digit', '529.982.247-24'],
    ['two digits swapped', '592.982.247-25'],
    ['a CNPJ with a wrong first check digit', '11.222.333/0001-91'],
    ['a CNPJ with a wrong second check digit', '11.222.333/0001-80'],
    ['an alphanumeric CNPJ with a wrong check digit', '12.ABC.345/01DE-36'],
    ['an alphanumeric CNPJ with another letter', '12.ABD.345/01DE-35'],
    ['a letter as a check digit', '12.ABC.345/01DE-3A'],
    ['a letter in a CPF', '529.982.24A-25'],
    ['too few digits', '529.982.247-2'],
    ['too many digits', '529.982.247-255'],
    ['zeros', '00000000000'],
    ['zeros for a CNPJ', '00000000000000'],
    ['nothing', ''],
    ['punctuation only', '.-/'],
    ['digits of another script', '５２９９８２２４７２５'],
    ['an underscore', '529_982_247_25'],
  ])('with %s is not', (_case, written) => {
    expect(normaliseCpfCnpj(written)).toBeUndefined();
  });

  it.each(Array.from({ length: 10 }, (_, digit) => [digit]))('of nothing but %i is not', (digit) => {
    expect(normaliseCpfCnpj(String(digit).repeat(11))).toBeUndefined();
    expect(normaliseCpfCnpj(String(digit).repeat(14))).toBeUndefined();
  });

  it('has exactly one pair of check digits', () => {
    const pairs = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));
    const digits = fc.stringMatching(/^\d{9}$/).filter((body) => !/^(.)\1+$/.test(body));
    fc.assert(
      fc.property(fc.oneof(digits, fc.stringMatching(/^[0-9A-Z]{11}[A-Z]$/)), (body) => {
        expect(pairs.filter((pair) => normaliseCpfCnpj(body + pair) !== undefined)).toHaveLength(1);
      }),
    );
  });
});

describe('its hash', () => {
  const hash = hashCpfCnpj(aKeyring(), COMPANY_ID, '52998224725');

  it('is 64 hex characters and not the plain SHA-256', () => {
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hashCpfCnpj(aKeyring(), COMPANY_ID, '52998224725')).toBe(hash);
    expect(hash).not.toBe(createHash('sha256').update('52998224725').digest('hex'));
  });

  it('never changes: a look-up must find what was stored long ago', () => {
    expect(hash).toBe('c5154a77f9f3d3caf9b11486cb07f0b3d8586b1ec06a78989205d18bc85c2360');
  });

  it('differs between companies, documents and key versions', () => {
    expect(hashCpfCnpj(aKeyring(), OTHER_COMPANY_ID, '52998224725')).not.toBe(hash);
    expect(hashCpfCnpj(aKeyring(), COMPANY_ID, '11144477735')).not.toBe(hash);
    expect(hashCpfCnpj(aKeyring(2), COMPANY_ID, '52998224725')).not.toBe(hash);
  });

  it('can be made again with an old version', () => {
    expect(hashCpfCnpj(aKeyring(2), COMPANY_ID, '52998224725', 1)).toBe(hash);
  });
});
