import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import type { ReadyInfo } from '../../local/ready-file.ts';
import { until } from './gateway.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The real program, as a process of its own. */
export class Program {
  stdout = '';
  stderr = '';
  readonly exit: Promise<Exit>;
  private readonly child: ChildProcess;

  constructor(
    command: string,
    args: readonly string[],
    private readonly readyFile: string,
  ) {
    // A group of its own, so that whatever it starts can be ended with it.
    this.child = spawn(command, args, { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.exit = new Promise((resolve) => {
      this.child.once('close', (code, signal) => resolve({ code, signal }));
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async ready(): Promise<ReadyInfo> {
    await until(
      () => ({ ready: existsSync(this.readyFile), exitCode: this.child.exitCode, stderr: this.stderr }),
      ({ ready, exitCode }) => {
        if (exitCode !== null) throw new Error(`ended with ${exitCode}: ${this.stderr}`);
        return ready;
      },
    );
    return JSON.parse(readFileSync(this.readyFile, 'utf8')) as ReadyInfo;
  }

  /** Until it has printed this. */
  async prints(text: string): Promise<void> {
    await until(
      () => this.stdout,
      (stdout) => stdout.includes(text),
    );
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  killGroup(): void {
    endNow(-this.pid);
  }
}

/** A process, or a group by its negative number. */
function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

/** Programs and a folder for them, for each test; none outlives it, however it ends. */
export function usePrograms() {
  let folder: string;
  let started: Program[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'email-gateway-process-'));
    started = [];
  });
  afterEach(async () => {
    for (const program of started) program.killGroup();
    await Promise.all(started.map((program) => program.exit));
    // Children lead groups of their own. They should end by themselves, but a test that found out otherwise
    // must not leave them running.
    await until(
      () => {
        const left = processesWith(folder);
        for (const { pid } of left) endNow(pid);
        return left;
      },
      (left) => left.length === 0,
    );
    rmSync(folder, { recursive: true, force: true });
  });
  const begin = (command: string, before: readonly string[], args: readonly string[]) => {
    const program = new Program(command, [...before, ...args], join(folder, 'ready.json'));
    started.push(program);
    return program;
  };
  const path = (name: string) => join(folder, name);
  const usual = () => ['--port', '0', '--data-dir', path('data'), '--ready-file', path('ready.json')];
  return {
    path,
    start: (args: readonly string[] = usual()) => begin('node', ['local/main.mjs'], args),
    startByNpm: () => begin('npm', ['start', '--'], usual()),
  };
}

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Every process that runs; one that is dead and only not yet buried does not. */
function processes(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').join(' ');
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        return [];
      }
    });
}

export function processesWith(text: string): ProcessEntry[] {
  return processes().filter(({ command }) => command.includes(text));
}

/** Children, their children and so on. */
export function descendantsOf(pid: number): ProcessEntry[] {
  const all = processes();
  const below = (parent: number): ProcessEntry[] =>
    all.filter((each) => each.parent === parent).flatMap((child) => [child, ...below(child.pid)]);
  return below(pid);
}

export async function untilGone(family: readonly ProcessEntry[]): Promise<void> {
  await until(
    () => {
      const running = processes();
      return family.filter((each) => running.some((r) => r.pid === each.pid && r.command === each.command));
    },
    (left) => left.length === 0,
  );
}
