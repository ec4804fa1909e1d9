#!/usr/bin/env node
import { unsupportedNode } from '../local/node-version.mjs';

const unsupported = unsupportedNode(process.versions.node);
if (unsupported !== undefined) {
  console.error(unsupported);
  process.exit(1);
}
const { register } = await import('tsx/esm/api');
register();
await import('./main.ts');
