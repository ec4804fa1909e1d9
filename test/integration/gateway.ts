import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { JumpingClock } from '../../local/clock.ts';
import { tableDefinition } from '../../local/dynamodb/tables.ts';
import { deleteExpired } from '../../local/dynamodb/ttl-sweeper.ts';
import type { AcceptedMail } from '../../local/emulators/ses/mail.ts';
import { startLocal, type LocalGateway, type LocalOptions } from '../../local/start.ts';
import { clientConfig } from '../../local/template/cloudformation.ts';
import { dynamoEmailStore } from '../../shared/adapters/dynamo-email-store.ts';
import { dynamoTenantStore } from '../../shared/adapters/dynamo-tenant-store.ts';
import type { TenantStore } from '../../shared/ports/tenant-store.ts';
import type { Email } from '../../shared/domain/email.ts';
import type { EmailStatus } from '../../shared/domain/email-state.ts';
import type { emailView } from '../../shared/domain/email-view.ts';

export type EmailView = ReturnType<typeof emailView>;

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface Accepted {
  readonly outboxId: string;
  readonly status: EmailStatus;
}

const PATIENCE_MS = 20_000;

/** A mail that was accepted and whose message, or whose stream record, is gone without a trace. */
export async function acceptAndLose(
  gateway: TestGateway,
  room: 'relay' | 'sender',
  mail: Record<string, unknown> = {},
): Promise<string> {
  const swallowed = gateway.swallow(room);
  const outboxId = await gateway.accept(mail);
  await until(
    () => JSON.stringify(swallowed),
    (events) => events.includes(outboxId),
  );
  gateway.local.host.intercept(undefined);
  return outboxId;
}

/** Asks again until the answer will do. It is for states that must come, so it fails by saying what was there instead. */
export async function until<T>(
  ask: () => Promise<T> | T,
  willDo: (answer: T) => boolean,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (willDo(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(answer)?.slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** The whole gateway as `npm start` runs it, with a clock that can jump. */
export class TestGateway {
  private constructor(
    readonly local: LocalGateway,
    readonly clock: JumpingClock,
    readonly dataDir: string,
  ) {}

  static async start(options: Partial<LocalOptions> = {}): Promise<TestGateway> {
    const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'email-gateway-'));
    const clock = new JumpingClock();
    return new TestGateway(await startLocal({ port: 0, clock, ...options, dataDir }), clock, dataDir);
  }

  async close(): Promise<void> {
    await this.local.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  async request<T>(path: string, init: RequestInit & { key?: string | null } = {}): Promise<Answer<T>> {
    const { key = this.local.ready.apiKeys.demo, ...rest } = init;
    const headers = new Headers(rest.headers);
    if (key !== null) headers.set('x-api-key', key);
    const response = await fetch(`${this.local.ready.apiUrl}${path}`, { ...rest, headers });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? null : JSON.parse(text)) as T,
    };
  }

  post<T = Accepted>(body: unknown, headers: Record<string, string> = {}, key?: string): Promise<Answer<T>> {
    return this.request<T>('/v1/email/send', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(key !== undefined && { key }),
    });
  }

  /** A mail that must be accepted; returns its outboxId. */
  async accept(
    mail: Record<string, unknown> = {},
    headers: Record<string, string> = {},
    key?: string,
  ): Promise<string> {
    const body = { to: 'ana@example.com', subject: 'Hello', html: '<p>Hello</p>', ...mail };
    const answer = await this.post(body, headers, key);
    if (answer.status !== 202) throw new Error(`not accepted: ${JSON.stringify(answer.body)}`);
    return answer.body.outboxId;
  }

  async view(outboxId: string, key?: string): Promise<EmailView> {
    const { body } = await this.request<EmailView>(
      `/v1/emails/${outboxId}`,
      key === undefined ? {} : { key },
    );
    return body;
  }

  untilStatus(outboxId: string, ...statuses: EmailStatus[]): Promise<EmailView> {
    return until(
      () => this.view(outboxId),
      (mail) => statuses.includes(mail.status),
    );
  }

  /**
   * Lives through a mail's waiting times without waiting: whenever it rests, the clock jumps to its next attempt.
   * Never while a sender works on it, as real time would not pass in jumps either.
   */
  async liveThrough(outboxId: string, ...ends: EmailStatus[]): Promise<EmailView> {
    let seen = '';
    let quiet = 0;
    return until(
      async () => {
        const mail = await this.view(outboxId);
        const state = JSON.stringify([mail.status, mail.attempts, mail.events.length, mail.nextAttemptAt]);
        quiet = state === seen ? quiet + 1 : 0;
        seen = state;
        if (mail.status === 'RETRY_SCHEDULED' || mail.status === 'PENDING') {
          const wait = Date.parse(mail.nextAttemptAt ?? '') - this.clock.now();
          if (wait > 0 && quiet > 2) this.clock.jump(wait + 50);
          // The message may have been hidden after the last jump, for as long again.
          else if (quiet > 20) this.clock.jump(30_000);
        }
        // A sender that is being throttled looks at the clock between two calls.
        if (mail.status === 'SENT_ATTEMPT' && quiet > 4) this.clock.jump(5_000);
        return mail;
      },
      (mail) => ends.includes(mail.status),
      60_000,
    );
  }

  /** The stored item, which holds more than the API shows. */
  item(outboxId: string): Promise<Email | undefined> {
    const { emailTable } = this.local.ready.resources;
    const client = DynamoDBDocumentClient.from(this.local.services.dynamoClient);
    return dynamoEmailStore(client, emailTable ?? '').get(outboxId);
  }

  tenants(): TenantStore {
    const client = DynamoDBDocumentClient.from(this.local.services.dynamoClient);
    return dynamoTenantStore(client, this.local.ready.resources.tenantTable ?? '');
  }

  async inbox(query = ''): Promise<AcceptedMail[]> {
    const response = await fetch(`${this.local.ready.endpoints.ses}/_local/inbox${query}`);
    return (await response.json()) as AcceptedMail[];
  }

  inboxOf(outboxId: string): Promise<AcceptedMail[]> {
    return this.inbox(`?tag.outboxId=${outboxId}`);
  }

  async order(what: 'faults' | 'events', body: object): Promise<void> {
    const url = `${this.local.ready.endpoints.ses}/_local/${what}`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    if (response.status !== 201) throw new Error(await response.text());
  }

  async calmDown(): Promise<void> {
    for (const what of ['faults', 'events']) {
      await fetch(`${this.local.ready.endpoints.ses}/_local/${what}`, { method: 'DELETE' });
    }
  }

  get sqs(): SQSClient {
    return new SQSClient(clientConfig(this.local.ready.endpoints.sqs));
  }

  /** Messages in a queue, those in flight included. */
  async depth(queue: 'express' | 'bulk' | 'deadLetter'): Promise<number> {
    const url = this.local.ready.resources[`${queue}QueueUrl`] ?? '';
    const { Attributes = {} } = await this.local.services.sqsClient.send(
      new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }),
    );
    return (
      Number(Attributes['ApproximateNumberOfMessages']) +
      Number(Attributes['ApproximateNumberOfMessagesNotVisible'])
    );
  }

  /** Runs the sweeper now, as its schedule would. */
  async sweep(): Promise<void> {
    const result = await this.local.host.invoke(this.functionOf('sweeper'), {});
    if (!result.ok) throw new Error(JSON.stringify(result.error));
  }

  /** From now on the room's events vanish, as if it had handled them; they are noted in the returned list. */
  swallow(room: string): unknown[] {
    const swallowed: unknown[] = [];
    const name = this.functionOf(room);
    this.local.host.intercept(({ functionName, event, run }) => {
      if (functionName !== name) return run();
      swallowed.push(event);
      return Promise.resolve({ ok: true, payload: null, requestId: 'swallowed' });
    });
    return swallowed;
  }

  /** Deletes what is past its TTL, as DynamoDB does in its own time. */
  async purge(): Promise<void> {
    const { services, stack } = this.local;
    for (const resource of stack.ofType('AWS::DynamoDB::Table')) {
      const table = tableDefinition(stack.ref(resource.id), resource);
      await deleteExpired(services.dynamoClient, table, this.clock.now());
    }
  }

  functionOf(room: string): string {
    const found = this.local.stack.ofType('AWS::Lambda::Function').find((resource) => {
      const { Environment } = resource.properties() as { Environment: { Variables: Record<string, string> } };
      return Environment.Variables['POWERTOOLS_SERVICE_NAME'] === room;
    });
    if (!found) throw new Error(`no function for ${room}`);
    return this.local.stack.ref(found.id);
  }
}

/** One gateway for the tests of a file; faults do not outlive the test that ordered them. */
export function useGateway(options: Partial<LocalOptions> = {}): () => TestGateway {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await TestGateway.start(options);
  });
  afterEach(() => gateway.calmDown());
  afterAll(() => gateway.close());
  return () => gateway;
}
