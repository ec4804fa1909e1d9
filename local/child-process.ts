import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface GuardedChild {
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/**
 * A child that ends with this process however this process ends. A `kill -9` runs none of our code, so a
 * shell waits on a pipe that only we hold open: the kernel closes it, the shell wakes and kills the child.
 */
export function spawnGuarded(command: string, args: readonly string[]): GuardedChild {
  // A process group of its own, or Ctrl-C in the terminal would end the child before we are done with it.
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'], env: {} });
  const watchdog =
    child.pid === undefined
      ? undefined
      : spawn('/bin/sh', ['-c', 'read -r _; kill -9 "$1"', 'watchdog', String(child.pid)], {
          detached: true,
          stdio: ['pipe', 'ignore', 'ignore'],
        });
  return {
    process: child,
    stop: async () => {
      await ended(child, 'SIGTERM');
      if (watchdog) await ended(watchdog, 'SIGKILL');
    },
  };
}

const PATIENCE_MS = 3_000;

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await exit;
  clearTimeout(impatience);
}
