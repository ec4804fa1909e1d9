/** Remembers what was found; what was not found is asked for again. */
export function cached<T>(
  load: (key: string) => Promise<T | undefined>,
  forMs: number,
  now: () => number,
): (key: string) => Promise<T | undefined> {
  const known = new Map<string, { value: T; until: number }>();
  return async (key) => {
    const entry = known.get(key);
    if (entry && entry.until > now()) return entry.value;
    const value = await load(key);
    if (value === undefined) known.delete(key);
    else known.set(key, { value, until: now() + forMs });
    return value;
  };
}
