import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FunctionWorker, type Outcome } from './function-worker.ts';
import type { FunctionLog } from './function-log.ts';

export interface FunctionDefinition {
  readonly name: string;
  readonly arn: string;
  readonly assetDir: string;
  /** As in the template, `file.export`. */
  readonly handler: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly env: Readonly<Record<string, string>>;
  readonly maxConcurrency: number;
  readonly clockShift: SharedArrayBuffer | undefined;
}

export type InvocationResult = Outcome & { readonly requestId: string };

/** A test's way to stand between an event source and a function: delay, observe, fail or kill at a point. */
export interface Interception {
  readonly functionName: string;
  readonly event: unknown;
  run(): Promise<InvocationResult>;
}
export type Interceptor = (invocation: Interception) => Promise<InvocationResult>;

/** All that an event source needs of a function. */
export type Invocable = Pick<LambdaFunction, 'invoke'>;

const IDLE_MS = 5 * 60_000;

/** A function with its pool of workers; invocations beyond the limit wait their turn. */
export class LambdaFunction {
  private readonly idle: FunctionWorker[] = [];
  private readonly busy = new Set<FunctionWorker>();
  private readonly waiting: Array<() => void> = [];
  private readonly idleTimers = new Map<FunctionWorker, NodeJS.Timeout>();
  private closed = false;

  constructor(
    readonly definition: FunctionDefinition,
    private readonly log: FunctionLog,
    private readonly interceptor?: () => Interceptor | undefined,
  ) {}

  async invoke(event: unknown, requestId: string = randomUUID()): Promise<InvocationResult> {
    const run = () => this.run(event, requestId);
    const intercept = this.interceptor?.();
    return intercept ? intercept({ functionName: this.definition.name, event, run }) : run();
  }

  /** Starts a worker ahead of the first invocation, so that it does not wait for the handler to load. */
  warm(): void {
    if (this.idle.length === 0 && this.busy.size === 0) this.rest(this.createWorker());
  }

  /** Ends every invocation under way as a crash of the machine would; returns how many there were. */
  async killRunning(): Promise<number> {
    const running = [...this.busy];
    await Promise.all(running.map((worker) => worker.terminate()));
    return running.length;
  }

  /** Lets running invocations finish for a while, then ends them. */
  async close(graceMs: number): Promise<void> {
    this.closed = true;
    for (const wake of this.waiting.splice(0)) wake();
    const deadline = Date.now() + graceMs;
    while (this.busy.size > 0 && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const timer of this.idleTimers.values()) clearTimeout(timer);
    await Promise.all([...this.idle, ...this.busy].map((worker) => worker.terminate()));
    await this.log.close();
  }

  private async run(event: unknown, requestId: string): Promise<InvocationResult> {
    const worker = await this.takeWorker();
    const startedAt = Date.now();
    try {
      const { definition } = this;
      const outcome = await worker.invoke(
        {
          event: JSON.stringify(event),
          context: {
            awsRequestId: requestId,
            functionName: definition.name,
            functionVersion: '$LATEST',
            invokedFunctionArn: definition.arn,
            memoryLimitInMB: String(definition.memoryMb),
            logGroupName: `/aws/lambda/${definition.name}`,
            logStreamName: 'local',
          },
        },
        definition.timeoutMs,
      );
      this.log.invocation(requestId, Date.now() - startedAt, outcome);
      return { ...outcome, requestId };
    } finally {
      this.busy.delete(worker);
      if (worker.alive && !this.closed) this.rest(worker);
      else void worker.terminate();
      this.waiting.shift()?.();
    }
  }

  /** If nothing is in its way it is busy before anyone else runs, so that a stop knows of it. */
  private async takeWorker(): Promise<FunctionWorker> {
    while (!this.closed && this.busy.size >= this.definition.maxConcurrency) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    if (this.closed) throw new Error(`${this.definition.name} is shutting down.`);
    const worker = this.idleWorker() ?? this.createWorker();
    this.busy.add(worker);
    return worker;
  }

  /** One that still lives; those that ended while they were idle are forgotten on the way. */
  private idleWorker(): FunctionWorker | undefined {
    for (;;) {
      const worker = this.idle.pop();
      if (!worker) return undefined;
      clearTimeout(this.idleTimers.get(worker));
      this.idleTimers.delete(worker);
      if (worker.alive) return worker;
    }
  }

  private rest(worker: FunctionWorker): void {
    this.idle.push(worker);
    const timer = setTimeout(() => {
      this.idleTimers.delete(worker);
      this.idle.splice(this.idle.indexOf(worker), 1);
      void worker.terminate();
    }, IDLE_MS);
    timer.unref();
    this.idleTimers.set(worker, timer);
  }

  private createWorker(): FunctionWorker {
    const [file, exported = 'handler'] = this.definition.handler.split('.');
    return new FunctionWorker({
      handlerFile: pathToFileURL(join(this.definition.assetDir, `${file}.mjs`)).href,
      handlerName: exported,
      env: this.definition.env,
      memoryMb: this.definition.memoryMb,
      clockShift: this.definition.clockShift,
      onOutput: (chunk) => this.log.output(chunk),
    });
  }
}
