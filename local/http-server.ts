import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RunningServer {
  readonly port: number;
  readonly url: string;
  readonly server: Server;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1 only; port 0 takes a free one. */
export async function serve(listener: RequestListener, port = 0): Promise<RunningServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const taken = (server.address() as AddressInfo).port;
  return {
    port: taken,
    url: `http://127.0.0.1:${taken}`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const IDLE_CHECK_MS = 20;

/** Takes no new requests and lets those under way finish, for at most `graceMs`. */
export async function drain({ server, close }: RunningServer, graceMs: number): Promise<void> {
  const finished = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that is kept alive becomes idle only once its request is answered.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const impatience = setTimeout(() => server.closeAllConnections(), graceMs);
  await finished;
  clearInterval(idle);
  clearTimeout(impatience);
  await close();
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
