import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { readBody } from '../../http-server.ts';
import { parseFeedSettings, type EventFeed } from './event-feed.ts';
import { parseFault, type Faults } from './faults.ts';
import type { Inbox } from './inbox.ts';
import { sendJson } from './json-response.ts';

export interface Controlled {
  readonly faults: Faults;
  readonly inbox: Inbox;
  readonly feed: EventFeed;
}

/** What SES does not have: a look into the inbox, failures on demand, events held back. */
export async function handleControl(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { faults, inbox, feed }: Controlled,
): Promise<void> {
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /_local/inbox':
      return sendInbox(response, inbox, url.searchParams);
    case 'DELETE /_local/inbox':
      inbox.clear();
      return noContent(response);
    case 'GET /_local/faults':
      return sendJson(response, 200, faults.list());
    case 'POST /_local/faults':
      return applyOrder(request, response, parseFault, (fault) => faults.add(fault));
    case 'DELETE /_local/faults':
      faults.clear();
      return noContent(response);
    case 'POST /_local/events':
      return applyOrder(request, response, parseFeedSettings, (settings) => feed.configure(settings));
    case 'DELETE /_local/events':
      feed.reset();
      return noContent(response);
    default:
      return sendJson(response, 404, { message: `No ${request.method} ${url.pathname} here.` });
  }
}

async function applyOrder<T>(
  request: IncomingMessage,
  response: ServerResponse,
  parse: (json: unknown) => T,
  apply: (order: T) => void,
): Promise<void> {
  const body = await readBody(request);
  let order: T;
  try {
    order = parse(JSON.parse(body.toString('utf8')));
  } catch (error) {
    return sendJson(response, 400, { message: explain(error) });
  }
  apply(order);
  sendJson(response, 201, order);
}

function explain(error: unknown): string {
  return error instanceof z.ZodError ? z.prettifyError(error) : 'The body is not valid JSON.';
}

/** Mail by mail, so that a big inbox is never one string. */
async function sendInbox(response: ServerResponse, inbox: Inbox, query: URLSearchParams): Promise<void> {
  const tags = new Map<string, string>();
  for (const [name, value] of query) if (name.startsWith('tag.')) tags.set(name.slice('tag.'.length), value);
  const mails = inbox.list({ to: query.get('to') ?? undefined, tags });
  response.writeHead(200, { 'content-type': 'application/json' });
  await pipeline(
    Readable.from(
      (function* () {
        yield '[';
        for (const [index, mail] of mails.entries()) yield (index === 0 ? '' : ',\n') + JSON.stringify(mail);
        yield ']';
      })(),
    ),
    response,
  );
}

function noContent(response: ServerResponse): void {
  response.writeHead(204).end();
}
