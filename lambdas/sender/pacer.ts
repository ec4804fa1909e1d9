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

/** This instance's share of the account's rate, asked for every few minutes. */
export function shareOfRate(
  accountRate: () => Promise<number>,
  instances: number,
  now: () => number,
): () => Promise<number> {
  let known: { rate: number; until: number } | undefined;
  return async () => {
    if (!known || known.until <= now()) known = { rate: await accountRate(), until: now() + 300_000 };
    return Math.max(known.rate / instances, 0.1);
  };
}
