import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { unsupportedNode } from '../../../local/node-version.mjs';

it.each(['20.19.0', '20.20.1', '21.0.0', '22.1.0', '100.0.0'])('%s will do', (version) => {
  expect(unsupportedNode(version)).toBeUndefined();
});

it.each(['20.18.3', '20.9.0', '18.20.4', '8.0.0'])('%s will not, and is told so', (version) => {
  expect(unsupportedNode(version)).toBe(`Email Gateway needs Node.js 20.19 or newer; this is ${version}.`);
});

it('asks for what package.json asks for', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    engines: { node: string };
  };
  const oldest = engines.node.replace('>=', '');
  const [major, minor] = oldest.split('.').map(Number) as [number, number];
  expect(unsupportedNode(`${oldest}.0`)).toBeUndefined();
  expect(unsupportedNode(`${major}.${minor - 1}.99`)).toContain(`needs Node.js ${oldest} or newer`);
});
