import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

/** Takes the data dir for this process. The returned function gives it back. */
export function lockDataDir(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    throw new StartError(
      `Cannot write to the data dir ${dataDir} (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
  const path = join(dataDir, 'lock');
  const mine = processIdentity(process.pid) ?? String(process.pid);
  for (;;) {
    try {
      writeFileSync(path, mine, { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new StartError(`Cannot write to the data dir ${dataDir} (${(error as Error).message}).`);
      }
    }
    const holder = readFileSync(path, 'utf8');
    const pid = Number(holder.split(' ')[0]);
    if (processIdentity(pid) === holder) {
      throw new StartError(`The data dir ${dataDir} is in use by another Email Gateway (process ${pid}).`);
    }
    // Its holder was killed.
    rmSync(path, { force: true });
  }
}

/** The pid and, where the system tells, when it started: a pid alone may belong to someone else by now. */
function processIdentity(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may hold spaces; the 22nd is the start time.
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return String(pid);
  }
}
