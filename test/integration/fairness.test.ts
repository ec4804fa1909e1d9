import { expect, it } from 'vitest';
import type { InvocationResult } from '../../local/lambda/lambda-function.ts';
import { until, useGateway } from './gateway.ts';

const gateway = useGateway();
const FLOOD = 2_000;
/** What one invocation of the sender takes from a queue. */
const BATCH = 10;
/** Batches under way at once: the runner polls each queue four times in parallel. */
const POLLERS = 4;

/** The senders take their batches and wait; the returned function lets them go. */
function holdSenders(): () => void {
  const sender = gateway().functionOf('sender');
  const held: Array<() => void> = [];
  let open = false;
  gateway().local.host.intercept(({ functionName, run }) => {
    if (functionName !== sender || open) return run();
    return new Promise<InvocationResult>((resolve) => held.push(() => resolve(run())));
  });
  return () => {
    open = true;
    for (const release of held) release();
  };
}

it("one tenant posts 2,000 bulk mails: another's waits for one batch, and an urgent one overtakes them", async () => {
  const { demo, other } = gateway().local.ready.apiKeys;
  const letGo = holdSenders();
  for (let posted = 0; posted < FLOOD; posted += 50) {
    await Promise.all(Array.from({ length: 50 }, () => gateway().accept({ priority: 9 }, {}, demo)));
  }
  await until(
    () => gateway().depth('bulk'),
    (depth) => depth === FLOOD,
  );
  const bulkOfOther = await gateway().accept({ priority: 9 }, {}, other);
  const urgentOfDemo = await gateway().accept({ priority: 1 }, {}, demo);
  await until(
    async () => (await gateway().depth('bulk')) + (await gateway().depth('express')),
    (depth) => depth === FLOOD + 2,
  );
  letGo();
  const inbox = await until(
    () => gateway().inbox(),
    (mails) => mails.length === FLOOD + 2,
    120_000,
  );
  const position = (outboxId: string) => inbox.findIndex(({ tags }) => tags['outboxId'] === outboxId);
  const before = inbox
    .slice(0, position(bulkOfOther))
    .filter(({ tags }) => tags['outboxId'] !== urgentOfDemo);
  // However deep the backlog: one batch of each lane that was under way already, and not one mail more.
  expect(before.length).toBeLessThanOrEqual(POLLERS * BATCH);
  expect(inbox.length - position(urgentOfDemo)).toBeGreaterThan(FLOOD / 2);
  expect(new Set(inbox.map(({ tags }) => tags['outboxId'])).size).toBe(FLOOD + 2);
}, 480_000);
