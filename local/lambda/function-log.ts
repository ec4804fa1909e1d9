import { once } from 'node:events';
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { dirname } from 'node:path';
import type { Outcome } from './function-worker.ts';

/** What CloudWatch Logs would keep: the function's own output and one line an invocation. */
export class FunctionLog {
  private readonly file: WriteStream;

  constructor(
    path: string,
    private readonly echo?: (text: string) => void,
  ) {
    mkdirSync(dirname(path), { recursive: true });
    this.file = createWriteStream(path, { flags: 'a' });
  }

  output(chunk: Buffer): void {
    // A worker's last words may come after it was ended.
    if (!this.file.writableEnded) this.file.write(chunk);
    this.echo?.(chunk.toString());
  }

  invocation(requestId: string, durationMs: number, outcome: Outcome): void {
    const verdict = outcome.ok
      ? ''
      : `\tStatus: error\tError: ${outcome.error.errorType}: ${outcome.error.errorMessage}`;
    this.output(Buffer.from(`REPORT RequestId: ${requestId}\tDuration: ${durationMs} ms${verdict}\n`));
  }

  async close(): Promise<void> {
    const closed = once(this.file, 'close');
    this.file.end();
    await closed;
  }
}
