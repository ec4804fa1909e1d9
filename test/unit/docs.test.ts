import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pages } from '../../docs/print/pages.ts';

const names = Object.keys(pages);

it('prints the pages of the state machine and of the errors', () => {
  expect(names).toEqual(expect.arrayContaining(['lifecycle.md', 'errors.md']));
});

it.each(names)('docs/%s says what the tables in the code say (npm run docs)', (name) => {
  const written = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
  expect(written).toBe(pages[name]?.());
});
