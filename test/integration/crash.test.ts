import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { AcceptedMail } from '../../local/emulators/ses/mail.ts';
import type { ReadyInfo } from '../../local/ready-file.ts';
import { COMPANY_IDS } from '../../local/seed.ts';
import { deriveOutboxId } from '../../shared/domain/outbox-id.ts';
import type { CrashPoint } from './crashing-gateway.ts';
import { until, type EmailView } from './gateway.ts';

type Point = Omit<CrashPoint, 'about'>;
const at = (room: string, operation: string, nth: number, when: CrashPoint['when']): Point => ({
  room,
  operation,
  nth,
  when,
});

/** Every step of the api, the relay and the sender at which the process can die. */
const POINTS: readonly (readonly [name: string, point: Point, sesAnswers?: string])[] = [
  ['the api, before the body is written', at('api', 'PutItem', 1, 'before')],
  ['the api, after the body is written', at('api', 'PutItem', 1, 'after')],
  ['the api, before the mail is written', at('api', 'PutItem', 2, 'before')],
  ['the api, after the mail is written, before the 202', at('api', 'PutItem', 2, 'after')],
  ['the relay, before the message is sent', at('relay', 'run', 1, 'before')],
  ['the relay, after the message is sent', at('relay', 'run', 1, 'after')],
  ['the sender, before it reads', at('sender', 'BatchGetItem', 1, 'before')],
  ['the sender, before the claim', at('sender', 'PutItem', 1, 'before')],
  ['the sender, after the claim', at('sender', 'PutItem', 1, 'after')],
  ['the sender, before SES', at('sender', 'SendEmail', 1, 'before')],
  ['the sender, after SES accepted', at('sender', 'SendEmail', 1, 'after')],
  ['the sender, before the record', at('sender', 'PutItem', 2, 'before')],
  ['the sender, after the record', at('sender', 'PutItem', 2, 'after')],
  [
    'the sender, after it recorded a retry',
    at('sender', 'PutItem', 2, 'after'),
    'ServiceUnavailableException',
  ],
  [
    'the sender, after it stepped aside, before its copy is sent',
    at('sender', 'PutItem', 2, 'after'),
    'RESET',
  ],
  [
    'the sender, after FAILED, before it lets the message go',
    at('sender', 'PutItem', 2, 'after'),
    'MessageRejected',
  ],
];

const dataDir = mkdtempSync(join(tmpdir(), 'email-gateway-crash-'));
const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

/** Each process starts 15 minutes after the one before, in the gateway's own time. */
let starts = 0;

async function start(crash: CrashPoint | null): Promise<{ child: ChildProcess; ready: ReadyInfo }> {
  starts += 1;
  const readyFile = join(dataDir, `ready-${starts}.json`);
  const orders = { dataDir, readyFile, shiftMs: starts * 15 * 60_000, crash };
  const script = new URL('./crashing-gateway.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(orders)], {
    stdio: 'ignore',
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  await until(
    () => existsSync(readyFile) || child.exitCode !== null,
    (settled) => settled,
    60_000,
  );
  return { child, ready: JSON.parse(readFileSync(readyFile, 'utf8')) as ReadyInfo };
}

function post(ready: ReadyInfo, key: string): Promise<Response> {
  return fetch(`${ready.apiUrl}/v1/email/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': ready.apiKeys.demo, 'idempotency-key': key },
    body: JSON.stringify({ to: `${key}@example.com`, subject: 'Crash', html: `<p>${key}</p>` }),
  });
}

async function orderFault(ready: ReadyInfo, fault: object): Promise<void> {
  await fetch(`${ready.endpoints.ses}/_local/faults`, { method: 'POST', body: JSON.stringify(fault) });
}

async function view(ready: ReadyInfo, outboxId: string): Promise<EmailView> {
  const response = await fetch(`${ready.apiUrl}/v1/emails/${outboxId}`, {
    headers: { 'x-api-key': ready.apiKeys.demo },
  });
  return (await response.json()) as EmailView;
}

/** While one process waits to die over its own mail, the mails of those before it recover in it. */
it('the process is killed at every step: every accepted mail reaches its end; once, or twice where it says in doubt', async () => {
  const mails: { name: string; key: string; outboxId: string; end: 'SENT' | 'FAILED' }[] = [];
  for (const [index, [name, point, sesAnswers]] of POINTS.entries()) {
    const key = `crash-${index}`;
    const outboxId = deriveOutboxId(['idem', COMPANY_IDS.demo, key]);
    mails.push({ name, key, outboxId, end: sesAnswers === 'MessageRejected' ? 'FAILED' : 'SENT' });
    const { child, ready } = await start({ ...point, about: outboxId });
    if (sesAnswers !== undefined) await orderFault(ready, { to: `${key}@example.com`, error: sesAnswers });
    await post(ready, key).catch(() => undefined);
    await until(
      () => [name, child.signalCode],
      ([, signal]) => signal === 'SIGKILL',
    );
  }

  const { child, ready } = await start(null);
  // Whoever got no answer asks again, with the same key.
  for (const { key, outboxId } of mails) {
    const answer = await post(ready, key);
    expect(answer.status).toBe(202);
    expect(((await answer.json()) as { outboxId: string }).outboxId).toBe(outboxId);
  }
  const inbox = async () =>
    (await (await fetch(`${ready.endpoints.ses}/_local/inbox`)).json()) as AcceptedMail[];
  for (const { name, outboxId, end } of mails) {
    const mail = await until(
      () => view(ready, outboxId),
      ({ status }) => status === end,
      // The sweeper, which finds what nobody else has, runs once a minute.
      90_000,
    );
    const copies = (await inbox()).filter(({ tags }) => tags['outboxId'] === outboxId).length;
    const resends = mail.events.filter(({ metadata }) => metadata?.['resend'] === true).length;
    const least = end === 'SENT' ? 1 : 0;
    expect([name, copies >= least && copies <= least + resends]).toEqual([name, true]);
  }
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}, 600_000);
