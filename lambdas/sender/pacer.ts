import { cached } from '../../shared/adapters/cached.ts';

/** Spreads sends evenly: `take(n)` resolves when n recipients may go out. A second's worth may go at once. */
export function createPacer(
  recipientsPerSecond: () => Promise<number>,
  now: () => number,
  sleep: (ms: number) => Promise<void>,
): (recipients: number) => Promise<void> {
  let free = 0;
  return async (recipients) => {
    const rate = await recipientsPerSecond();
    const at = Math.max(free, now() - 1000);
    free = at + (recipients / rate) * 1000;
    const wait = at - now();
    if (wait > 0) await sleep(wait);
  };
}

const RATE_REMEMBERED_MS = 300_000;

/** This instance's share of the account's rate. While SES does not tell the rate, the last one it told counts. */
export function shareOfRate(
  accountRate: () => Promise<number>,
  instances: number,
  now: () => number,
): () => Promise<number> {
  let last: number | undefined;
  const ask = cached(
    async () => {
      last = await accountRate().catch((error: unknown) => {
        if (last === undefined) throw error;
        return last;
      });
      return last;
    },
    RATE_REMEMBERED_MS,
    now,
  );
  return async () => Math.max(((await ask('rate')) ?? 0) / instances, 0.1);
}
