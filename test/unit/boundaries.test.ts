import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOMS } from '../../lib/bundle.ts';
import { boundaryFaults, ROOM_WORDS } from './boundary-rules.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_OURS = new Set(['node_modules', 'dist', 'cdk.out', 'coverage']);

function sourcesUnder(folder: string): string[] {
  return readdirSync(`${ROOT}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (entry.name.startsWith('.') || NOT_OURS.has(entry.name)) return [];
    if (entry.isDirectory()) return sourcesUnder(`${path}/`);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

const files = sourcesUnder('');

it('reads the whole project', () => {
  const tops = new Set(files.map((path) => path.split('/')[0]));
  for (const top of ['bin', 'lib', 'lambdas', 'shared', 'local', 'test']) expect(tops).toContain(top);
  expect(files).toContain('shared/domain/advance.ts');
});

it.each(files.map((path) => [path]))('%s keeps the rules of the house', (path) => {
  expect(boundaryFaults(path, readFileSync(`${ROOT}${path}`, 'utf8'))).toEqual([]);
});

describe('rooms', () => {
  it('are the folders of lambdas, each by one of the seven words', () => {
    expect(readdirSync(`${ROOT}lambdas`).sort()).toEqual([...ROOMS].sort());
    expect(ROOM_WORDS).toEqual(expect.arrayContaining([...ROOMS]));
  });

  it.each(ROOMS.map((room) => [room]))('%s has its handler, its environment and its construct', (room) => {
    for (const path of [`lambdas/${room}/handler.ts`, `lambdas/${room}/env.ts`, `lib/${room}.ts`])
      expect([path, existsSync(`${ROOT}${path}`)]).toEqual([path, true]);
  });
});

const MOCK = ['vi', "mock('x')"].join('.');

describe('what breaks the rules is found', () => {
  it.each([
    ['shared/domain/x.ts', "import { z } from 'lodash';", 'imports lodash'],
    ['shared/domain/x.ts', "import { readFileSync } from 'node:fs';", 'imports node:fs'],
    ['shared/domain/x.ts', "import type { A } from '../ports/a.ts';", 'imports shared/ports/a.ts'],
    [
      'shared/domain/x.ts',
      "export { A } from '../adapters/a.ts';\nconst a = 1;",
      'imports shared/adapters/a.ts',
    ],
    ['shared/domain/x.ts', "const a = await import('@aws-sdk/client-sqs');", 'imports @aws-sdk/client-sqs'],
    ['shared/domain/x.ts', "import {\n  a,\n} from '../../lib/a.ts';", 'imports lib/a.ts'],
    ['shared/domain/x.ts', 'const now = Date.now();', 'reads the clock (Date.now)'],
    ['shared/domain/x.ts', 'const clock = Date.now;', 'reads the clock (Date.now)'],
    ['shared/domain/x.ts', 'const now = new Date();', 'reads the clock (new Date)'],
    ['shared/domain/x.ts', 'const now = new Date;', 'reads the clock (new Date)'],
    ['shared/domain/x.ts', 'const now = Date();', 'reads the clock (Date())'],
    ['shared/domain/x.ts', 'const r = Math.random();', 'is random (Math.random)'],
    ['shared/domain/x.ts', "import { randomUUID } from 'node:crypto';", 'is random (node:crypto)'],
    ['shared/domain/x.ts', 'const stage = process.env.STAGE;', 'reads process.env'],
    ['shared/ports/x.ts', "import { z } from 'zod';", 'imports zod'],
    ['shared/ports/x.ts', "import { a } from '../adapters/a.ts';", 'imports shared/adapters/a.ts'],
    ['shared/adapters/x.ts', "import { a } from '../../lambdas/api/a.ts';", 'imports lambdas/api/a.ts'],
    ['shared/adapters/x.ts', "const stage = process['env'];", 'reads process.env'],
    ['lambdas/api/x.ts', "import { a } from '../sender/a.ts';", 'imports lambdas/sender/a.ts'],
    ['lambdas/api/x.ts', "import { a } from '../../lib/a.ts';", 'imports lib/a.ts'],
    ['lambdas/api/x.ts', "import { a } from '../../local/a.ts';", 'imports local/a.ts'],
    ['lambdas/api/handler.ts', 'const table = process.env.TABLE;', 'reads process.env'],
    ['lambdas/api/handler.ts', 'line();\n'.repeat(63), 'is a handler of 63 lines'],
    ['lib/x.ts', "import { a } from '../lambdas/api/http.ts';", 'imports lambdas/api/http.ts'],
    ['lib/x.ts', "import { a } from '../shared/adapters/a.ts';", 'imports shared/adapters/a.ts'],
    ['bin/x.ts', "import { a } from '../local/a.ts';", 'imports local/a.ts'],
    ['shared/adapters/dynamo-utils.ts', '', 'is called dynamo-utils'],
    ['local/helpers/x.ts', '', 'is called helpers'],
    ['lib/common.ts', '', 'is called common'],
    ['local/queue-manager.ts', '', 'is called queue-manager'],
    ['lib/index.ts', 'const a = 1;', 'is a barrel'],
    ['lib/all.ts', "export * from './a.ts';\nexport { b } from './b.ts';", 'is a barrel'],
    ['test/unit/x.test.ts', `${MOCK};`, 'mocks a module'],
  ])('%s: %j', (path, source, fault) => {
    expect(boundaryFaults(path, source)).toEqual([fault]);
  });
});

describe('what keeps them is not', () => {
  it.each([
    ['shared/domain/x.ts', "import { createHash } from 'node:crypto';\nimport { z } from 'zod';"],
    ['shared/domain/x.ts', "import { SAXParser } from 'parse5-sax-parser';\nimport { a } from './a.ts';"],
    ['shared/domain/x.ts', 'const at = new Date(now).toISOString(); // not Date.now()'],
    ['shared/domain/x.ts', '/** Never process.env. */\nconst at = Date.parse(text);'],
    ['shared/ports/x.ts', "import { a } from '../domain/a.ts';\nimport { b } from './b.ts';"],
    [
      'shared/adapters/x.ts',
      "import { S3Client } from '@aws-sdk/client-s3';\nimport { a } from '../ports/a.ts';",
    ],
    ['lambdas/api/x.ts', "import { a } from './a.ts';\nimport { b } from '../../shared/adapters/b.ts';"],
    ['lambdas/api/env.ts', 'export const env = () => readEnv(envSchema, process.env);'],
    ['lambdas/api/handler.ts', 'line();\n'.repeat(62)],
    [
      'lib/x.ts',
      "import { routes } from '../lambdas/api/routes.ts';\nimport { a } from '../shared/domain/a.ts';",
    ],
    ['local/x.ts', "import { a } from './a.ts';\nconst stage = process.env.STAGE;"],
    ['test/unit/x.test.ts', "import { a } from '../../local/a.ts';"],
    ['local/communication.ts', 'const common = 1;'],
  ])('%s: %j', (path, source) => {
    expect(boundaryFaults(path, source)).toEqual([]);
  });
});
