import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

export const ROOMS = ['authorizer', 'api', 'relay', 'sender', 'feedback', 'sweeper'] as const;
export type Room = (typeof ROOMS)[number];

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const BUNDLES = join(PROJECT, 'dist', 'lambdas');

/** CommonJS dependencies call `require`, which an ES module does not have. */
const REQUIRE_FOR_COMMONJS =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

let bundled = false;

/**
 * The folder with the room's code as it runs on Lambda: `index.mjs` and its source map. The AWS SDK is
 * inside, so production runs the version that the tests ran. All rooms are built in one esbuild call,
 * once per process.
 */
export function bundleFor(room: Room): string {
  if (!bundled) bundleRooms();
  bundled = true;
  return join(BUNDLES, room);
}

function bundleRooms(): void {
  const { outputFiles } = buildSync({
    absWorkingDir: PROJECT,
    entryPoints: Object.fromEntries(ROOMS.map((room) => [`${room}/index`, `lambdas/${room}/handler.ts`])),
    outdir: BUNDLES,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    banner: { js: REQUIRE_FOR_COMMONJS },
    minify: true,
    // Errors show the name of their class in the logs.
    keepNames: true,
    sourcemap: true,
    // Node parses the map on every cold start; line numbers need no copy of the sources.
    sourcesContent: false,
    write: false,
  });
  for (const file of outputFiles) replaceIfChanged(file.path, Buffer.from(file.contents));
}

/** Another process may be reading the bundle: it sees the whole old file or the whole new one. */
function replaceIfChanged(path: string, contents: Buffer): void {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, contents);
  renameSync(fresh, path);
}
