import { EventEmitter, once } from 'node:events';
import { Agent, get, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { drain, serve, type RunningServer } from '../../../local/http-server.ts';

/** Longer than a test may take: what needs the grace to run out fails. */
const ENDLESS_MS = 3_600_000;
let server: RunningServer;
let agent: Agent;
let asked: Promise<ServerResponse>;

beforeEach(async () => {
  agent = new Agent({ keepAlive: true });
  const requests = new EventEmitter<{ request: [ServerResponse] }>();
  asked = once(requests, 'request').then(([response]) => response as ServerResponse);
  server = await serve((_request, response) => requests.emit('request', response));
  server.server.keepAliveTimeout = ENDLESS_MS;
});
afterEach(async () => {
  agent.destroy();
  await server.close();
});

/** The body, or what went wrong. */
function ask(): Promise<string> {
  return new Promise((resolve) => {
    const request = get(server.url, { agent }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(text));
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
}

it('a stop lets a request finish, and its connection does not hold it up though it is kept alive', async () => {
  const answer = ask();
  const response = await asked;
  const stopped = drain(server, ENDLESS_MS);
  response.end('done');
  expect(await answer).toBe('done');
  await stopped;
  agent.destroy();
  expect(await ask()).toBe('ECONNREFUSED');
});

it('a stop waits no longer than its grace', async () => {
  const answer = ask();
  await asked;
  await drain(server, 0);
  expect(await answer).toBe('ECONNRESET');
});
