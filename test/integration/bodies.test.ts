import { expect, it } from 'vitest';
import { useGateway } from './gateway.ts';

const gateway = useGateway();
const DAY = 86_400_000;

it("a refused or repeated request does not shorten the life of a scheduled mail's body", async () => {
  const headers = { 'idempotency-key': 'far-ahead' };
  const sendAt = new Date(gateway().clock.now() + 29 * DAY).toISOString();
  const outboxId = await gateway().accept({ sendAt }, headers);
  // The same body under the same key, but for now: a conflict.
  const now = { to: 'ana@example.com', subject: 'Hello', html: '<p>Hello</p>' };
  expect((await gateway().post(now, headers)).status).toBe(409);
  gateway().clock.jump(29 * DAY);
  // Whatever is over its time is purged before the mail is due.
  await gateway().purge();
  await gateway().sweep();
  await gateway().untilStatus(outboxId, 'SENT');
});
