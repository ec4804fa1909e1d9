import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { transformSync } from 'esbuild';
import type { FunctionError, InvokeMessage, WorkerMessage, WorkerSettings } from './protocol.ts';

export interface WorkerOptions extends WorkerSettings {
  readonly env: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  readonly onOutput: (chunk: Buffer) => void;
}

export type Outcome =
  { readonly ok: true; readonly payload: unknown } | { readonly ok: false; readonly error: FunctionError };

/** Lambda allows 10 s; a laptop that starts many functions at once deserves more. */
const INIT_TIMEOUT_MS = 30_000;

let entry: URL | undefined;

/** Compiled by itself, so that a worker starts bare: without the TypeScript loader this process runs under. */
function workerEntry(): URL {
  if (!entry) {
    const source = readFileSync(new URL('./worker-entry.ts', import.meta.url), 'utf8');
    const { code } = transformSync(source, { loader: 'ts', format: 'esm', target: 'node20' });
    entry = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  }
  return entry;
}

/** One execution environment: loads the handler once, then runs one invocation at a time. */
export class FunctionWorker {
  private readonly worker: Worker;
  private settle: ((outcome: Outcome) => void) | undefined;
  private readonly initialised: Promise<Outcome>;
  private ended = false;

  constructor(options: WorkerOptions) {
    const { handlerFile, handlerName, clockShift } = options;
    const settings: WorkerSettings = { handlerFile, handlerName, clockShift };
    this.worker = new Worker(workerEntry(), {
      workerData: settings,
      env: { ...options.env },
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb },
    });
    this.worker.stdout.on('data', options.onOutput);
    this.worker.stderr.on('data', options.onOutput);
    this.worker.on('message', (message: WorkerMessage) => this.receive(message));
    this.worker.on('error', (error: Error & { code?: string }) => {
      // Its exit comes later; until then it must not be given another invocation.
      this.ended = true;
      this.fail(crash(error));
    });
    this.worker.on('exit', (code) => {
      this.ended = true;
      this.fail({ errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with exit code ${code}` });
    });
    this.initialised = this.answer(INIT_TIMEOUT_MS, 'Init timed out');
  }

  get alive(): boolean {
    return !this.ended;
  }

  async invoke(message: Omit<InvokeMessage, 'deadline'>, timeoutMs: number): Promise<Outcome> {
    const initialised = await this.initialised;
    if (!initialised.ok || this.ended) {
      await this.terminate();
      return initialised.ok
        ? { ok: false, error: { errorType: 'Runtime.ExitError', errorMessage: 'Runtime exited' } }
        : initialised;
    }
    const answer = this.answer(timeoutMs, `Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`);
    this.worker.postMessage({ ...message, deadline: Date.now() + timeoutMs } satisfies InvokeMessage);
    return await answer;
  }

  /** In the middle of whatever it does. */
  async terminate(): Promise<void> {
    this.ended = true;
    await this.worker.terminate();
  }

  private answer(timeoutMs: number, timeoutMessage: string): Promise<Outcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        void this.terminate();
        this.fail({ errorType: 'Sandbox.Timedout', errorMessage: timeoutMessage });
      }, timeoutMs);
      this.settle = (outcome) => {
        clearTimeout(timer);
        this.settle = undefined;
        resolve(outcome);
      };
    });
  }

  private receive(message: WorkerMessage): void {
    switch (message.type) {
      case 'ready':
        return this.settle?.({ ok: true, payload: null });
      case 'result':
        return this.settle?.({
          ok: true,
          payload: message.payload === undefined ? null : (JSON.parse(message.payload) as unknown),
        });
      case 'error':
        return this.fail(message.error);
    }
  }

  private fail(error: FunctionError): void {
    this.settle?.({ ok: false, error });
  }
}

function crash(error: Error & { code?: string }): FunctionError {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return { errorType: 'Runtime.OutOfMemory', errorMessage: error.message };
  }
  return { errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') ?? [] };
}
