import { systemClock } from '../local/clock.ts';
import type { LocalOptions } from '../local/start.ts';
import type { Email } from '../shared/domain/email.ts';
import { TestGateway, until } from '../test/integration/gateway.ts';
import { Gate } from './gate.ts';

const PATIENCE_MS = 60_000;

/** The gateway as `npm start` runs it, on the system's clock, for as long as `use` takes. */
export async function withGateway<T>(
  use: (gateway: TestGateway) => Promise<T>,
  options: Partial<LocalOptions> = {},
): Promise<T> {
  const gateway = await TestGateway.start({ clock: systemClock, ...options });
  try {
    return await use(gateway);
  } finally {
    await gateway.close();
  }
}

/** Does `count` things, at most `atOnce` at a time; what they gave is in order. */
export async function inParallel<T>(
  count: number,
  atOnce: number,
  work: (i: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    for (let i = next++; i < count; i = next++) results[i] = await work(i);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
  return results;
}

/** What the runner has at most under way at once: four pollers a queue. */
const SENDERS = 8;

/** Brings every sender to life, so that none of them has its cold start while something is measured. */
export async function warmSenders(gateway: TestGateway): Promise<void> {
  const { demo, other } = gateway.local.ready.apiKeys;
  const gate = new Gate(gateway, ['sender']);
  gate.hold('sender');
  const mails = await inParallel(48, 8, (i) =>
    gateway.accept({ priority: [1, 5, 9][i % 3] }, {}, i % 2 === 0 ? demo : other),
  );
  await until(
    () => gate.waiting('sender'),
    (waiting) => waiting === SENDERS,
    PATIENCE_MS,
  );
  gate.open('sender');
  await untilSent(gateway, mails);
  gateway.local.host.intercept(undefined);
}

/** Waits for the queues to run empty, and only then reads the mails: whoever is measured is left alone. */
export async function untilSent(gateway: TestGateway, outboxIds: readonly string[]): Promise<Email[]> {
  await until(
    async () => (await gateway.depth('express')) + (await gateway.depth('bulk')),
    (depth) => depth === 0,
    PATIENCE_MS,
  );
  return inParallel(outboxIds.length, 16, (i) =>
    untilItem(gateway, outboxIds[i] ?? '', (mail) => mail.sentAt),
  );
}

/** Reads the table itself, past the functions. */
export async function untilItem(
  gateway: TestGateway,
  outboxId: string,
  willDo: (mail: Email) => unknown,
): Promise<Email> {
  const item = await until(
    () => gateway.item(outboxId),
    (mail) => mail !== undefined && Boolean(willDo(mail)),
    PATIENCE_MS,
  );
  if (!item) throw new Error(`no mail ${outboxId}`);
  return item;
}

export function sentAt(mail: Email): number {
  return Date.parse(mail.sentAt ?? '');
}
