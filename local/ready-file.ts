import { renameSync, rmSync, writeFileSync } from 'node:fs';
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

/** Whoever waits for the file never sees half of it. */
export function writeReadyFile(path: string, info: ReadyInfo): void {
  const unfinished = `${path}.${process.pid}`;
  try {
    writeFileSync(unfinished, `${JSON.stringify(info, null, 2)}\n`);
    renameSync(unfinished, path);
  } catch (error) {
    throw new StartError(`Cannot write the ready file ${path} (${(error as NodeJS.ErrnoException).code}).`);
  }
}

export function removeReadyFile(path: string): void {
  rmSync(path, { force: true });
}
