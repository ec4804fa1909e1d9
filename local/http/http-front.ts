import type { RequestListener } from 'node:http';
import { drain, serve } from '../http-server.ts';
import { StartError } from '../start-error.ts';

/** Longer than clients keep an idle connection, so that they never reuse one that is being closed. */
const KEEP_ALIVE_MS = 120_000;

/** The API's port: taken before anything else starts, answering 503 until there is an API behind it. */
export interface HttpFront {
  readonly url: string;
  serve(listener: RequestListener): void;
  close(graceMs: number): Promise<void>;
}

export async function openHttpFront(port: number): Promise<HttpFront> {
  let current: RequestListener = (_request, response) => {
    response.writeHead(503, { 'content-type': 'application/json' }).end('{"message":"Service Unavailable"}');
  };
  const running = await serve((request, response) => current(request, response), port).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        throw new StartError(
          `Port ${port} is in use: stop what listens there or choose another with --port.`,
        );
      }
      throw new StartError(`Cannot listen on port ${port} (${error.code}).`);
    },
  );
  running.server.keepAliveTimeout = KEEP_ALIVE_MS;
  let closing: Promise<void> | undefined;
  return {
    url: running.url,
    serve: (listener) => {
      current = listener;
    },
    close: (graceMs) => (closing ??= drain(running, graceMs)),
  };
}
