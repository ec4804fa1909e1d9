import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { createLogger, type Logger } from '../../shared/adapters/logger.ts';

/** The logger of every room, and what it wrote. */
export function capturedLogger(): { logger: Logger; output: () => string } {
  let written = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  const logger = createLogger();
  // The only door that the logger leaves open: it keeps its console in a protected field.
  Object.assign(logger, { console: new Console({ stdout: stream, stderr: stream }) });
  return { logger, output: () => written };
}
