import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from './start-error.ts';

/** Takes the data dir for this process. The returned function gives it back. */
export function lockDataDir(dataDir: string): () => void {
  try {
    const isNew = !existsSync(dataDir);
    makeDirectory(dataDir);
    accessSync(dataDir, constants.W_OK);
    const release = lock(join(dataDir, 'lock'), dataDir);
    return () => {
      release();
      if (isNew) removeIfEmpty(dataDir);
    };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `Cannot write to the data dir ${dataDir} (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

function lock(path: string, dataDir: string): () => void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, processIdentity(process.pid) ?? String(process.pid));
  try {
    while (!linked(draft, path)) removeUnlessHeld(path, dataDir);
  } finally {
    rmSync(draft);
  }
  return () => rmSync(path, { force: true });
}

/** A link appears with its content, so that nobody ever reads a lock that names no process yet. */
function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function removeUnlessHeld(path: string, dataDir: string): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    const holder = readFileSync(path, 'utf8');
    const pid = Number(holder.split(' ')[0]);
    if (processIdentity(pid) === holder) {
      throw new StartError(`The data dir ${dataDir} is in use by another Email Gateway (process ${pid}).`);
    }
    // Its holder was killed. Another start may see that too: what was moved must be what was read.
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') !== holder) renameSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** A start that failed at once leaves no trace. */
function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // There is data in it.
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

/** Level by level: below /proc, Node's own recursive mkdir tries for ever. */
function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (path !== dirname(path)) makeDirectory(dirname(path));
  mkdirSync(path);
}
