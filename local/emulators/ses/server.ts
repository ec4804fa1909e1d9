import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock, type Clock } from '../../clock.ts';
import { readBody, serve } from '../../http-server.ts';
import { handleControl } from './control-api.ts';
import { SesError } from './errors.ts';
import { EventFeed } from './event-feed.ts';
import { eventsOf, SES_EVENT_TYPES, type SesEvent } from './events.ts';
import { Faults, type Fault } from './faults.ts';
import { Inbox } from './inbox.ts';
import { sendJson } from './json-response.ts';
import { recipientsOf, type OutgoingMail } from './mail.ts';
import { parseSendEmail } from './send-email-request.ts';
import { SendStatistics } from './send-statistics.ts';

const ACCOUNT_ID = '000000000000';

export interface SesOptions {
  readonly dataDir: string;
  readonly port?: number;
  readonly clock?: Clock;
  /** Each publishes every event; `addConfigurationSet` names the events. */
  readonly configurationSets?: readonly string[];
  /** What GetAccount reports. Sends are not measured against it: order a fault to see a limit hit. */
  readonly sendQuota?: { readonly max24HourSend: number; readonly maxSendRate: number };
  readonly onEvent?: (event: SesEvent) => void;
  readonly region?: string;
}

export interface SesEmulator {
  readonly url: string;
  readonly port: number;
  /** `events` are the event types that its destinations take, in any case: `send`, `bounce`, … */
  addConfigurationSet(name: string, events: readonly string[]): void;
  close(): Promise<void>;
}

export async function startSes(options: SesOptions): Promise<SesEmulator> {
  const clock = options.clock ?? systemClock;
  const quota = options.sendQuota ?? { max24HourSend: 50_000, maxSendRate: 14 };
  const account = { id: ACCOUNT_ID, region: options.region ?? 'us-east-1' };
  const configurationSets = new Map((options.configurationSets ?? []).map((name) => [name, SES_EVENT_TYPES]));
  const inbox = new Inbox(options.dataDir);
  const faults = new Faults();
  const feed = new EventFeed(clock, options.onEvent ?? (() => {}));
  const statistics = new SendStatistics();
  for (const mail of inbox.list()) {
    statistics.record(recipientsOf(mail).length, Date.parse(mail.receivedAt));
  }

  const server = await serve((request, response) => {
    route(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else if (error instanceof SesError) sendError(response, error);
      else sendError(response, new SesError('InternalServiceErrorException', String(error)));
    });
  }, options.port);

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', server.url);
    if (url.pathname.startsWith('/_local/')) {
      return handleControl(request, response, url, { faults, inbox, feed });
    }
    switch (`${request.method} ${url.pathname}`) {
      case 'POST /v2/email/outbound-emails':
        return sendEmail(await readBody(request), response);
      case 'GET /v2/email/account':
        return sendJson(response, 200, describeAccount());
      default:
        throw new SesError('UnknownOperationException', `Not emulated: ${request.method} ${url.pathname}`);
    }
  }

  async function sendEmail(body: Buffer, response: ServerResponse): Promise<void> {
    const mail = parseSendEmail(body, configurationSets);
    const fault = faults.take(recipientsOf(mail));
    if (!fault) return sendJson(response, 200, { MessageId: accept(mail) });
    if (fault.afterAccept) accept(mail);
    if (fault.delayMs > 0) await new Promise<void>((resolve) => clock.after(fault.delayMs, resolve));
    fail(fault, response);
  }

  function accept(mail: OutgoingMail): string {
    const now = clock.now();
    const accepted = { ...mail, messageId: newMessageId(now), receivedAt: new Date(now).toISOString() };
    inbox.add(accepted);
    statistics.record(recipientsOf(mail).length, now);
    const wanted = configurationSets.get(mail.configurationSet ?? '') ?? [];
    feed.publish(eventsOf(accepted, account, now).filter(({ detail }) => wanted.includes(detail.eventType)));
    return accepted.messageId;
  }

  function describeAccount() {
    return {
      SendQuota: {
        Max24HourSend: quota.max24HourSend,
        MaxSendRate: quota.maxSendRate,
        SentLast24Hours: statistics.last24Hours(clock.now()),
      },
      SendingEnabled: true,
      ProductionAccessEnabled: true,
      DedicatedIpAutoWarmupEnabled: false,
      EnforcementStatus: 'HEALTHY',
    };
  }

  return {
    url: server.url,
    port: server.port,
    addConfigurationSet: (name, events) => {
      const wanted = events.map((event) => event.toLowerCase());
      configurationSets.set(
        name,
        SES_EVENT_TYPES.filter((type) => wanted.includes(type.toLowerCase())),
      );
    },
    close: async () => {
      feed.close();
      await server.close();
      inbox.close();
    },
  };
}

function fail(fault: Fault, response: ServerResponse): void {
  if (fault.error === 'HANG') return;
  if (fault.error === 'RESET') {
    response.socket?.resetAndDestroy();
  } else if (typeof fault.error === 'number') {
    sendJson(response, fault.error, { message: fault.message ?? `HTTP status ${fault.error}` });
  } else {
    sendError(response, new SesError(fault.error, fault.message));
  }
}

function sendError(response: ServerResponse, error: SesError): void {
  sendJson(response, error.status, { message: error.message }, { 'x-amzn-errortype': error.name });
}

/** Looks like `0100019a0d89be0a-ea93e0f8-8612-4af4-a5f6-af05cb09aca8-000000`: the time leads. */
function newMessageId(now: number): string {
  return `0100${now.toString(16).padStart(12, '0')}-${randomUUID()}-000000`;
}
