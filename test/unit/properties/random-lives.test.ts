import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { days, type Weights } from './actions.ts';
import { SECOND } from '../../factories/moments.ts';
import { fates, outcomes, scriptOf, type OutcomeName } from './fault-plan.ts';
import { brokenPromises, untrueStates } from './promises.ts';
import { World } from './world.ts';

const EVERYTHING: Weights = {
  accept: 1,
  relay: 2,
  receive: 10,
  tick: 12,
  sweep: 5,
  jump: 8,
  cancel: 2,
  redrive: 2,
  event: 4,
  empty: 1,
  suspend: 1,
  suppress: 1,
};

interface Weather {
  readonly name: string;
  readonly weights: Weights;
  /** @default any */
  readonly jumps?: readonly number[];
  /** @default any */
  readonly script?: readonly OutcomeName[];
  /** Calls that go well, to one that fails, one that is lost and two crashes. */
  readonly kindness: number;
  readonly runs: number;
}

/** Several kinds of weather: what is rare in one is common in another. */
const WEATHERS: readonly Weather[] = [
  { name: 'whatever may happen', weights: EVERYTHING, kindness: 12, runs: 600 },
  {
    name: 'SES in doubt, and its word late',
    weights: { tick: 16, receive: 4, jump: 2, event: 1, redrive: 3, cancel: 2, sweep: 2 },
    script: ['acceptsThenTimesOut', 'acceptsThenResets', 'acceptsThenTimesOut', 'timesOut', 'unavailable'],
    kindness: 60,
    runs: 600,
  },
  {
    name: 'senders that die',
    weights: { tick: 16, sweep: 3, jump: 1, redrive: 2, empty: 1 },
    script: ['accepts', 'rejects', 'unavailable', 'acceptsThenTimesOut'],
    kindness: 3,
    runs: 600,
  },
  {
    name: 'mails that must hurry',
    weights: { receive: 12, tick: 4, jump: 4, sweep: 2, event: 1 },
    jumps: [SECOND, 6 * SECOND, 20 * SECOND],
    script: ['throttles', 'throttles', 'unavailable', 'timesOut'],
    kindness: 40,
    runs: 600,
  },
  {
    name: 'messages delivered twice and replayed',
    weights: { receive: 12, tick: 8, relay: 4, jump: 4, sweep: 4, redrive: 2, suppress: 1 },
    kindness: 20,
    runs: 600,
  },
];

describe.each(WEATHERS)('$name', ({ weights, jumps, script, kindness, runs }) => {
  it('keeps every promise to every mail', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        days(weights, jumps),
        fates(kindness),
        outcomes(script),
        async (scheduler, day, plan, told) => {
          let storm = true;
          const turn = (call: string) =>
            storm ? scheduler.schedule(Promise.resolve(), call) : Promise.resolve();
          const world = new World(turn, [...plan], scriptOf(told));
          const running: Promise<unknown>[] = [];
          scheduler.scheduleSequence(
            day.map((action) => ({
              label: JSON.stringify(action),
              builder: () => {
                running.push(world.act(action));
                return Promise.resolve();
              },
            })),
          );
          await scheduler.waitIdle();
          storm = false;
          await Promise.all(running);
          await world.settle();
          expect(brokenPromises(world)).toEqual([]);
          await world.deliverEvents();
          expect(untrueStates(world)).toEqual([]);
        },
      ),
      { numRuns: runs },
    );
  }, 60_000);
});
