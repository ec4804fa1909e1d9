import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { Journal } from '../journal.ts';
import type { InvocationResult, LambdaFunction } from './lambda-function.ts';
import type { LambdaHost } from './lambda-host.ts';

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

/** Lambda's event queue: accepted events survive a crash and are tried up to three times. */
export class AsyncInvoker {
  private readonly queue: Journal<AsyncInvocation>;
  private readonly running = new Set<Promise<void>>();
  private readonly cancels = new Set<() => void>();
  private closed = false;

  constructor(
    path: string,
    private readonly host: LambdaHost,
    private readonly settingsOf: (functionArn: string) => AsyncSettings,
    private readonly sendToQueue: (queueArn: string, body: string) => Promise<void>,
    private readonly clock: Clock,
  ) {
    this.queue = Journal.open(path);
  }

  /** Takes up what an earlier process left behind. */
  resume(): void {
    for (const [id, invocation] of [...this.queue.entries()]) this.start(id, invocation);
  }

  invoke(functionArn: string, event: unknown): void {
    if (this.closed) return;
    const id = randomUUID();
    const invocation = { functionArn, event, attempts: 0 };
    this.queue.set(id, invocation);
    this.start(id, invocation);
  }

  /** Accepts nothing more and waits for what runs; what did not succeed stays for the next start. */
  async close(): Promise<void> {
    this.closed = true;
    for (const cancel of this.cancels) cancel();
    await Promise.allSettled(this.running);
    this.queue.close();
  }

  private start(id: string, invocation: AsyncInvocation): void {
    const attempt = this.attempt(id, invocation).finally(() => this.running.delete(attempt));
    this.running.add(attempt);
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
      if (settings.onFailure !== undefined) {
        await this.sendToQueue(settings.onFailure, failureRecord(invocation, attempts, id, result));
      }
      return this.queue.delete(id);
    }
    const retried = { ...invocation, attempts };
    this.queue.set(id, retried);
    const cancel = this.clock.after(RETRY_DELAYS_MS[attempts - 1] ?? 2_000, () => {
      this.cancels.delete(cancel);
      this.start(id, retried);
    });
    this.cancels.add(cancel);
  }

  /** The template may have changed since the event was accepted. */
  private functionStillThere(functionArn: string): LambdaFunction | undefined {
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
): string {
  return JSON.stringify({
    version: '1.0',
    timestamp: new Date().toISOString(),
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
