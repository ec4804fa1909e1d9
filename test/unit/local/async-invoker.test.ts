import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ManualClock } from '../../../local/clock.ts';
import { AsyncInvoker, type AsyncSettings } from '../../../local/lambda/async-invoker.ts';
import type { Invocable } from '../../../local/lambda/lambda-function.ts';
import { aTemporaryFolder } from '../../factories/a-temporary-folder.ts';
import { iso, NOW, SECOND } from '../../factories/moments.ts';
import { ScriptedFunction } from '../../factories/scripted-function.ts';

const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:feedback';
const folder = aTemporaryFolder();
const open: AsyncInvoker[] = [];
afterEach(async () => {
  for (const invoker of open.splice(0)) await invoker.close();
});

/** A process with one function; two of them on one folder are one that was killed and the one after it. */
function start(target: Invocable | undefined, settings: AsyncSettings = { maximumRetryAttempts: 2 }) {
  const clock = new ManualClock(NOW);
  const sent: Array<{ queueArn: string; body: unknown }> = [];
  let queueIsDown = false;
  const find = () => {
    if (!target) throw new Error('No such function.');
    return target;
  };
  const sendToQueue = (queueArn: string, body: string) => {
    if (queueIsDown) return Promise.reject(new Error('down'));
    sent.push({ queueArn, body: JSON.parse(body) as unknown });
    return Promise.resolve();
  };
  const path = join(folder(), 'async.journal');
  const invoker = new AsyncInvoker(path, { find }, () => settings, sendToQueue, clock);
  open.push(invoker);
  return { invoker, clock, sent, setQueueDown: (down: boolean) => (queueIsDown = down) };
}

const settled = (ask: () => void) => vi.waitFor(ask, { interval: 1 });
/** Whatever was resolved has been acted upon. */
const quiet = () => new Promise((resolve) => setImmediate(resolve));

describe('an asynchronous invocation', () => {
  it('happens once if it succeeds', async () => {
    const target = new ScriptedFunction(() => null);
    const { invoker, clock } = start(target);
    invoker.invoke(ARN, { n: 1 });
    await quiet();
    clock.advance(60 * SECOND);
    await quiet();
    expect(target.events).toEqual([{ n: 1 }]);
  });

  it('is retried after a second and after two more', async () => {
    const target = new ScriptedFunction((_event, call) => (call < 3 ? new Error('not yet') : null));
    const { invoker, clock, sent } = start(target, { maximumRetryAttempts: 2, onFailure: 'arn:failures' });
    invoker.invoke(ARN, 'event');
    for (const [wait, calls] of [
      [0, 1],
      [999, 1],
      [1, 2],
      [1_999, 2],
      [1, 3],
      [60_000, 3],
    ] as const) {
      clock.advance(wait);
      await quiet();
      expect(target.events).toHaveLength(calls);
    }
    expect(sent).toEqual([]);
  });

  it('goes to the queue for failures when its retries are used up', async () => {
    const target = new ScriptedFunction((_event, call) => new TypeError(`failure ${call}`));
    const { invoker, clock, sent } = start(target, { maximumRetryAttempts: 1, onFailure: 'arn:failures' });
    invoker.invoke(ARN, { n: 1 });
    await quiet();
    clock.advance(SECOND);
    await settled(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toEqual({
      queueArn: 'arn:failures',
      body: {
        version: '1.0',
        timestamp: iso(NOW + SECOND),
        requestContext: {
          requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          functionArn: `${ARN}:$LATEST`,
          condition: 'RetriesExhausted',
          approximateInvokeCount: 2,
        },
        requestPayload: { n: 1 },
        responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
        responsePayload: { errorType: 'TypeError', errorMessage: 'failure 2' },
      },
    });
    clock.advance(60 * SECOND);
    await quiet();
    expect([target.events.length, sent.length]).toEqual([2, 1]);
  });

  it('is dropped when its retries are used up and there is no such queue', async () => {
    const target = new ScriptedFunction(() => new Error('always'));
    const { invoker, clock } = start(target, { maximumRetryAttempts: 0 });
    invoker.invoke(ARN, {});
    await quiet();
    clock.advance(60 * SECOND);
    await invoker.close();
    open.length = 0;
    const next = new ScriptedFunction(() => null);
    start(next).invoker.resume();
    await quiet();
    expect([target.events.length, next.events.length]).toEqual([1, 0]);
  });

  it('waits for the queue for failures if that does not answer', async () => {
    const target = new ScriptedFunction(() => new Error('always'));
    const { invoker, clock, sent, setQueueDown } = start(target, {
      maximumRetryAttempts: 0,
      onFailure: 'arn:failures',
    });
    setQueueDown(true);
    invoker.invoke(ARN, {});
    await quiet();
    clock.advance(2 * SECOND);
    await quiet();
    setQueueDown(false);
    clock.advance(2 * SECOND);
    await settled(() => expect(sent).toHaveLength(1));
    expect(target.events).toHaveLength(1);
  });
});

describe('a restart', () => {
  it('takes up what a killed process had accepted', async () => {
    const hanging = new ScriptedFunction(() => new Promise(() => {}));
    start(hanging).invoker.invoke(ARN, { n: 1 });
    // It never closes: it was killed.
    open.length = 0;
    const target = new ScriptedFunction(() => null);
    start(target).invoker.resume();
    await settled(() => expect(target.events).toEqual([{ n: 1 }]));
  });

  it('counts the attempts from before', async () => {
    const before = new ScriptedFunction(() => new Error('always'));
    const first = start(before, { maximumRetryAttempts: 1, onFailure: 'arn:failures' });
    first.invoker.invoke(ARN, {});
    await quiet();
    await first.invoker.close();
    open.length = 0;
    expect([before.events.length, first.sent.length]).toEqual([1, 0]);
    const after = new ScriptedFunction(() => new Error('always'));
    const second = start(after, { maximumRetryAttempts: 1, onFailure: 'arn:failures' });
    second.invoker.resume();
    await settled(() => expect(second.sent).toHaveLength(1));
    expect(second.sent[0]?.body).toMatchObject({ requestContext: { approximateInvokeCount: 2 } });
    expect(after.events).toHaveLength(1);
  });

  it('does not count an attempt that the stop broke off', async () => {
    let breakOff: (error: Error) => void = () => {};
    const running = new ScriptedFunction(() => new Promise((resolve) => (breakOff = resolve)));
    const { invoker } = start(running, { maximumRetryAttempts: 0 });
    invoker.invoke(ARN, { n: 1 });
    await quiet();
    const closing = invoker.close();
    open.length = 0;
    breakOff(new Error('terminated'));
    await closing;
    const target = new ScriptedFunction(() => null);
    start(target).invoker.resume();
    await settled(() => expect(target.events).toEqual([{ n: 1 }]));
  });

  it('forgets what was for a function that is no longer there', async () => {
    start(new ScriptedFunction(() => new Promise(() => {}))).invoker.invoke(ARN, {});
    open.length = 0;
    const without = start(undefined);
    without.invoker.resume();
    await quiet();
    await without.invoker.close();
    open.length = 0;
    const target = new ScriptedFunction(() => null);
    start(target).invoker.resume();
    await quiet();
    expect(target.events).toEqual([]);
  });
});

it('a stop accepts nothing more', async () => {
  const target = new ScriptedFunction(() => null);
  const { invoker } = start(target);
  await invoker.close();
  open.length = 0;
  invoker.invoke(ARN, {});
  await quiet();
  expect(target.events).toEqual([]);
});
