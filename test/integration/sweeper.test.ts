import { afterEach, describe, expect, it } from 'vitest';
import type { InvocationResult } from '../../local/lambda/lambda-function.ts';
import { until, useGateway } from './gateway.ts';

const gateway = useGateway();
const FAILED: InvocationResult = {
  ok: false,
  error: { errorType: 'Stopped', errorMessage: 'the test is over' },
  requestId: 'stopped',
};

const stopped: Array<(result: InvocationResult) => void> = [];

/** These rooms take their events and never come back, until the test is over. */
function stopRooms(...rooms: string[]): void {
  const names = rooms.map((room) => gateway().functionOf(room));
  gateway().local.host.intercept(({ functionName, run }) =>
    names.includes(functionName) ? new Promise((resolve) => stopped.push(resolve)) : run(),
  );
}

afterEach(() => {
  gateway().local.host.intercept(undefined);
  for (const resolve of stopped.splice(0)) resolve(FAILED);
});

describe('a mail that nobody works on', () => {
  it('because it was never relayed is enqueued into its own lane, and sent', async () => {
    stopRooms('relay');
    const outboxId = await gateway().accept();
    await until(
      () => stopped.length,
      (count) => count > 0,
    );
    gateway().clock.jump(11 * 60_000);
    await gateway().sweep();
    const mail = await gateway().untilStatus(outboxId, 'SENT');
    expect(mail.events[0]).toMatchObject({ type: 'REQUEUED', metadata: { seq: 2 } });
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
  });

  it('because its sender died in the middle is in doubt, and sent after the grace', async () => {
    await gateway().order('events', { send: 'drop' });
    await gateway().order('faults', { to: 'died@example.com', error: 'HANG', times: 1 });
    const outboxId = await gateway().accept({ to: 'died@example.com' });
    await gateway().untilStatus(outboxId, 'SENT_ATTEMPT');
    await gateway().local.host.find(gateway().functionOf('sender')).killRunning();
    // Its lease runs out, its message comes back, the grace passes.
    gateway().clock.jump(7 * 60_000);
    const mail = await gateway().untilStatus(outboxId, 'SENT');
    expect(mail.attempts).toBe(2);
    expect(mail.events.map(({ type }) => type)).toContain('IN_DOUBT');
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
  });
});
