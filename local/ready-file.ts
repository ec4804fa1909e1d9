import { accessSync, constants, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Endpoints } from './lambda/environment.ts';
import { StartError } from './start-error.ts';

/** Where everything is, once it serves. A part that is not built yet is null. */
export interface ReadyInfo {
  readonly apiUrl: string;
  readonly consoleUrl: string | null;
  readonly apiKeys: { readonly demo: string; readonly other: string; readonly test: string };
  readonly companies: { readonly demo: string; readonly other: string };
  readonly endpoints: {
    readonly dynamodb: string;
    readonly sqs: string;
    readonly ses: string;
    readonly s3: string;
  };
  readonly resources: {
    readonly emailTable: string | null;
    readonly tenantTable: string | null;
    readonly mailingTable: string | null;
    readonly expressQueueUrl: string | null;
    readonly bulkQueueUrl: string | null;
    readonly deadLetterQueueUrl: string | null;
  };
}

/** What the ops tools need besides: everything that a deployed stack would tell them. */
export interface ConnectionInfo extends ReadyInfo {
  readonly endpoints: Endpoints;
  readonly outputs: Readonly<Record<string, string>>;
}

/** In the data dir while its gateway serves; one that was killed leaves it behind. */
export function connectionFile(dataDir: string): string {
  return join(dataDir, 'ready.json');
}

export function readConnectionFile(dataDir: string): ConnectionInfo | undefined {
  try {
    return JSON.parse(readFileSync(connectionFile(dataDir), 'utf8')) as ConnectionInfo;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Before anything starts: says whether the file can be written, and removes one that a `kill -9` left. */
export function clearReadyFile(path: string): void {
  orSayWhy(path, () => {
    accessSync(dirname(path), constants.W_OK);
    rmSync(path, { force: true });
  });
}

/** Whoever waits for the file never sees half of it. The returned function removes it. */
export function writeReadyFile(path: string, info: ReadyInfo, mode = 0o666): () => void {
  const unfinished = `${path}.${process.pid}`;
  orSayWhy(path, () => {
    writeFileSync(unfinished, `${JSON.stringify(info, null, 2)}\n`, { mode });
    renameSync(unfinished, path);
  });
  return () => rmSync(path, { force: true });
}

function orSayWhy(path: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw new StartError(`Cannot write the ready file ${path} (${(error as NodeJS.ErrnoException).code}).`);
  }
}
