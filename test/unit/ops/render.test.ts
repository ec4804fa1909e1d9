import { expect, it } from 'vitest';
import { fields, printable, table } from '../../../ops/render.ts';

it('aligns columns and leaves no space at the end of a line', () => {
  const rows = [
    ['Ana', 1, true],
    ['São João & Filhos', 12, null],
  ];
  expect(table(['NAME', 'LANES', 'SUSPENDED'], rows, 'none')).toBe(
    [
      'NAME               LANES  SUSPENDED',
      'Ana                1      yes',
      'São João & Filhos  12     –',
    ].join('\n'),
  );
});

it('says in a sentence that there is nothing', () => {
  expect(table(['NAME'], [], 'There is nothing.')).toBe('There is nothing.');
});

it('shows one thing a line a field', () => {
  expect(
    fields({ Name: 'Ana', 'Only from': ['10.0.0.1', '10.0.0.2'], Suspended: false, From: undefined }),
  ).toBe(['Name       Ana', 'Only from  10.0.0.1, 10.0.0.2', 'Suspended  no', 'From       –'].join('\n'));
});

it.each([
  ['an escape sequence', '\u001b[31mred', '�[31mred'],
  ['a line break', 'a\nb\r\u2028c', 'a�b��c'],
  ['a C1 control', 'a\u009bb', 'a�b'],
  ['text turned around', 'a\u202eb', 'a�b'],
])('lets no stored text act on the terminal: %s', (_, text, shown) => {
  expect(printable(text)).toBe(shown);
  expect(fields({ Name: text })).toBe(`Name  ${shown}`);
});

it('leaves ordinary text alone', () => {
  expect(printable('Olá “João” 日本語 👩‍👧')).toBe('Olá “João” 日本語 👩‍👧');
});
