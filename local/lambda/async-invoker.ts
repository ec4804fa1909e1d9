import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { Journal } from '../journal.ts';
import type { InvocationResult, Invocable } from './lambda-function.ts';

export interface AsyncSettings {
  readonly maximumRetryAttempts: number;
  /** The ARN of the queue that gets events whose retries are used up. */
  readonly onFailure?: string;
}

interface AsyncInvocation {
  readonly functionArn: string;
  readonly event: unknown;
  readonly attempts: number;
}

/** Lambda waits one minute, then two; nobody waits that long at a laptop. */
const RETRY_DELAYS_MS = [1_000, 2_000];
const LONGEST_DELAY_MS = 2_000;

/** Lambda's event queue: accepted events survive a crash and are tried up to three times. */
export class AsyncInvoker {
  private readonly queue: Journal<AsyncInvocation>;
  private readonly running = new Set<Promise<void>>();
  private readonly cancels = new Set<() => void>();
  private closed = false;

  constructor(
    path: string,
    private readonly host: { find(functionArn: string): Invocable },
    private readonly settingsOf: (functionArn: string) => AsyncSettings,
    private readonly sendToQueue: (queueArn: string, body: string) => Promise<void>,
    private readonly clock: Clock,
  ) {
    this.queue = Journal.open(path);
  }

  /** Takes up what an earlier process left behind. */
  resume(): void {
    for (const [id, invocation] of [...this.queue.entries()]) {
      this.track(this.attempt(id, invocation));
    }
  }

  invoke(functionArn: string, event: unknown): void {
    if (this.closed) return;
    const id = randomUUID();
    const invocation = { functionArn, event, attempts: 0 };
    this.queue.set(id, invocation);
    this.track(this.attempt(id, invocation));
  }

  /** Accepts nothing more and waits for what runs; what did not succeed stays for the next start. */
  async close(): Promise<void> {
    this.closed = true;
    for (const cancel of this.cancels) cancel();
    await Promise.allSettled(this.running);
    this.queue.close();
  }

  private track(action: Promise<void>): void {
    const tracked = action.finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }

  private async attempt(id: string, invocation: AsyncInvocation): Promise<void> {
    const { functionArn, event } = invocation;
    const target = this.functionStillThere(functionArn);
    const result = await target?.invoke(event, id).catch(() => undefined);
    if (this.closed && !result?.ok) return;
    if (!target || result?.ok) return this.queue.delete(id);
    const settings = this.settingsOf(functionArn);
    const attempts = invocation.attempts + 1;
    if (attempts > settings.maximumRetryAttempts) {
      const { onFailure } = settings;
      if (onFailure === undefined) return this.queue.delete(id);
      return this.giveUp(id, onFailure, failureRecord(invocation, attempts, id, result, this.clock.now()));
    }
    const retried = { ...invocation, attempts };
    this.queue.set(id, retried);
    this.later(RETRY_DELAYS_MS[attempts - 1] ?? LONGEST_DELAY_MS, () => this.attempt(id, retried));
  }

  /** The event is forgotten only once the queue for failures has it. */
  private async giveUp(id: string, queueArn: string, record: string): Promise<void> {
    try {
      await this.sendToQueue(queueArn, record);
      this.queue.delete(id);
    } catch {
      if (!this.closed) this.later(LONGEST_DELAY_MS, () => this.giveUp(id, queueArn, record));
    }
  }

  private later(ms: number, action: () => Promise<void>): void {
    const cancel = this.clock.after(ms, () => {
      this.cancels.delete(cancel);
      this.track(action());
    });
    this.cancels.add(cancel);
  }

  /** The template may have changed since the event was accepted. */
  private functionStillThere(functionArn: string): Invocable | undefined {
    try {
      return this.host.find(functionArn);
    } catch {
      return undefined;
    }
  }
}

function failureRecord(
  { functionArn, event }: AsyncInvocation,
  attempts: number,
  requestId: string,
  result: InvocationResult | undefined,
  now: number,
): string {
  return JSON.stringify({
    version: '1.0',
    timestamp: new Date(now).toISOString(),
    requestContext: {
      requestId,
      functionArn: `${functionArn}:$LATEST`,
      condition: 'RetriesExhausted',
      approximateInvokeCount: attempts,
    },
    requestPayload: event,
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    responsePayload: result && !result.ok ? result.error : null,
  });
}
