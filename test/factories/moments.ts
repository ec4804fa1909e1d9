export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The present of every unit test. */
export const NOW = Date.UTC(2026, 2, 10, 12, 0, 0);

export function iso(moment: number): string {
  return new Date(moment).toISOString();
}
