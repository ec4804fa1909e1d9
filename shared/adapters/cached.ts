/** Remembers what was found, and asks once for all who ask at once. What was not found, or failed, is asked for again. */
export function cached<T>(
  load: (key: string) => Promise<T | undefined>,
  forMs: number,
  now: () => number,
): (key: string) => Promise<T | undefined> {
  const known = new Map<string, { value: Promise<T | undefined>; until: number }>();
  return (key) => {
    const entry = known.get(key);
    if (entry && entry.until > now()) return entry.value;
    const value = load(key);
    const fresh = { value, until: now() + forMs };
    const forget = () => known.get(key) === fresh && known.delete(key);
    known.set(key, fresh);
    value.then((found) => found === undefined && forget(), forget);
    return value;
  };
}
