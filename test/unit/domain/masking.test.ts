import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseCpfCnpj } from '../../../shared/domain/cpf-cnpj.ts';
import { isEmailAddress } from '../../../shared/domain/email-address.ts';
import { maskEmail, maskHash, maskText } from '../../../shared/domain/masking.ts';

/** Long enough that no accident of the words around it could contain it. */
const local = fc
  .stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{2,20}\.[A-Za-z0-9'+_-]{6,20}$/)
  .filter((text) => isEmailAddress(`${text}@example.com`));
const domain = fc.stringMatching(/^[a-z]{8,20}\.(com|com\.br|org)$/);

describe('an address', () => {
  it.each([
    ['user@example.com', 'u***@e***.com'],
    ['cliente@example.com.br', 'c***@e***.br'],
    ['a@localhost', 'a***@l***'],
    ['a@b@example.com', 'a***@e***.com'],
    ['a@.com', 'a***@.***'],
    ['nobody', '***'],
    ['@example.com', '***'],
    ['', '***'],
  ])('%s → %s', (address, masked) => {
    expect(maskEmail(address)).toBe(masked);
  });

  it('keeps one letter of each part and the ending', () => {
    fc.assert(
      fc.property(local, domain, (user, host) => {
        expect(maskEmail(`${user}@${host}`)).toBe(`${user[0]}***@${host[0]}***.${host.split('.').at(-1)}`);
      }),
    );
  });
});

it('a hash is shown by its first eight characters', () => {
  expect(maskHash('a3c7b8d9'.repeat(8))).toBe('a3c7b8d9...');
});

describe('a text that others wrote', () => {
  it.each([
    ['Address is not verified: user@example.com', 'Address is not verified: u***@e***.com'],
    ['<user@example.com>, "other@example.org".', '<u***@e***.com>, "o***@e***.org".'],
    ["o'brien@example.com bounced", 'o***@e***.com bounced'],
    ['mailto:user@example.com?subject=x', 'mailto:u***@e***.com?subject=x'],
    ['CPF 529.982.247-25 not found', 'CPF *** not found'],
    ['cpf=52998224725&x=1', 'cpf=***&x=1'],
    ['cpf_52998224725', 'cpf_***'],
    ['CNPJ 11.222.333/0001-81, 11222333000181', 'CNPJ ***, ***'],
    ['CNPJ 12.ABC.345/01DE-35 or 12abc34501de35', 'CNPJ *** or ***'],
    ['nothing to hide', 'nothing to hide'],
  ])('%s → %s', (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  it('has no address left in clear', () => {
    const around = fc.constantFrom(' ', '<', '(', '"', ', ', ': ', ';');
    fc.assert(
      fc.property(local, domain, around, (user, host, edge) => {
        const masked = maskText(`550 rejected${edge}${user}@${host}${edge}try later`);
        expect(masked).not.toContain(user.slice(1));
        expect(masked).not.toContain(host.split('.')[0]);
      }),
    );
  });

  it('has no document left in clear', () => {
    const document = fc
      .oneof(fc.stringMatching(/^\d{9}$/), fc.stringMatching(/^[0-9A-Za-z]{12}$/))
      .map((body) =>
        Array.from({ length: 100 }, (_, n) => body + String(n).padStart(2, '0')).find(
          (text) => normaliseCpfCnpj(text) !== undefined,
        ),
      )
      .filter((text) => text !== undefined);
    const punctuated = (text: string) =>
      text.length === 11
        ? text.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
        : text.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
    fc.assert(
      fc.property(document, (text) => {
        for (const written of [text, punctuated(text)])
          expect(maskText(`customer ${written}: unknown`)).toBe('customer ***: unknown');
      }),
    );
  });

  it('keeps the ids and times by which two lines are compared', () => {
    fc.assert(fc.property(fc.uuid(), (id) => maskText(`outboxId ${id}`) === `outboxId ${id}`));
    const line = '2026-03-10T12:00:00.000Z 1773144000000 v1:a3c7b8d9 attempt 3 of 5';
    expect(maskText(line)).toBe(line);
  });
});
