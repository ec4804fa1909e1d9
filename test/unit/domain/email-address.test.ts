import { expect, it } from 'vitest';
import { isEmailAddress, normaliseAddress } from '../../../shared/domain/email-address.ts';

const domainOf = (length: number) => {
  const labels = `${'d'.repeat(63)}.`.repeat(3).slice(0, length - 4);
  return `${labels.replace(/\.$/, 'd')}.com`;
};

it.each([
  ['cliente@example.com'],
  ['primeiro.ultimo+boleto@example.com.br'],
  ["o'brien@example.com"],
  ['a@b.co'],
  ['!#$%&*+/=?^_`{|}~-@example.com'],
  ['UPPER@EXAMPLE.COM'],
  ['user@xn--caf-dma.example'],
  ['user@1.example'],
  ['user@a-b.example'],
  [`${'l'.repeat(64)}@example.com`],
  [`user@${'d'.repeat(63)}.com`],
  [`${'l'.repeat(64)}@${domainOf(189)}`],
])('%s is an address', (address) => {
  expect(isEmailAddress(address)).toBe(true);
});

it.each([
  ['nothing', ''],
  ['no @', 'cliente.example.com'],
  ['no local part', '@example.com'],
  ['no domain', 'cliente@'],
  ['two @', 'a@b@example.com'],
  ['no dot in the domain', 'cliente@localhost'],
  ['a dot first', '.a@example.com'],
  ['a dot last', 'a.@example.com'],
  ['two dots', 'a..b@example.com'],
  ['a domain that starts with a dot', 'a@.example.com'],
  ['a domain that ends with a dot', 'a@example.com.'],
  ['two dots in the domain', 'a@example..com'],
  ['a hyphen first', 'a@-example.com'],
  ['a hyphen last', 'a@example-.com'],
  ['an underscore in the domain', 'a@ex_ample.com'],
  ['a number for an ending', 'a@192.168.0.1'],
  ['an address literal', 'a@[192.168.0.1]'],
  ['a quoted local part', '"a b"@example.com'],
  ['a display name', 'Ana <a@example.com>'],
  ['a space', 'a b@example.com'],
  ['a space around it', ' a@example.com'],
  ['two addresses', 'a@example.com,b@example.com'],
  ['a line break at the end', 'a@example.com\n'],
  ['a header smuggled in', 'a@example.com\r\nBcc: b@example.com'],
  ['a NUL', 'a\u0000@example.com'],
  ['letters SES does not take', 'joão@example.com'],
  ['a domain not in its xn-- form', 'joao@exémple.com'],
  ['65 before the @', `${'l'.repeat(65)}@example.com`],
  ['64 in a label', `user@${'d'.repeat(64)}.com`],
  ['255 in all', `${'l'.repeat(64)}@${domainOf(190)}`],
])('with %s it is none', (_case, text) => {
  expect(isEmailAddress(text)).toBe(false);
});

it('is measured at the very edge', () => {
  expect(`${'l'.repeat(64)}@${domainOf(189)}`).toHaveLength(254);
  expect(`${'l'.repeat(64)}@${domainOf(190)}`).toHaveLength(255);
});

it('has one form to compare by', () => {
  expect(normaliseAddress(' Cliente@Example.COM ')).toBe('cliente@example.com');
});
