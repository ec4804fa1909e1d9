const MINUTE_MS = 60_000;
const UNIT_MS: Readonly<Record<string, number>> = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 24 * 60 * MINUTE_MS,
};
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MINUTES_IN_LEAP_YEAR = 366 * 24 * 60;

/** When a schedule fires next, after `now`. */
export type Schedule = (now: number) => number;

/** EventBridge's `rate(5 minutes)` and `cron(0 12 * * ? *)`, the latter without its L, W and #. */
export function parseSchedule(expression: string): Schedule {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression);
  if (rate) {
    const period = Number(rate[1]) * (UNIT_MS[rate[2] ?? ''] ?? 0);
    return (now) => now + period;
  }
  const fields = /^cron\(([^)]+)\)$/.exec(expression)?.[1]?.trim().split(/\s+/);
  if (fields?.length !== 6) throw new Error(`The local runner cannot read the schedule "${expression}".`);
  const [minute, hour, dayOfMonth, month, dayOfWeek, year] = fields as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const matches = (at: Date) =>
    fieldMatches(minute, at.getUTCMinutes()) &&
    fieldMatches(hour, at.getUTCHours()) &&
    fieldMatches(dayOfMonth, at.getUTCDate()) &&
    fieldMatches(month, at.getUTCMonth() + 1, MONTHS, 1) &&
    fieldMatches(dayOfWeek, at.getUTCDay() + 1, DAYS, 1) &&
    fieldMatches(year, at.getUTCFullYear());
  return (now) => {
    let at = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    for (let i = 0; i < MINUTES_IN_LEAP_YEAR; i += 1) {
      at += MINUTE_MS;
      if (matches(new Date(at))) return at;
    }
    return Infinity;
  };
}

function fieldMatches(field: string, value: number, names: readonly string[] = [], base = 0): boolean {
  const number = (text: string) => {
    const named = names.indexOf(text.toUpperCase());
    return named >= 0 ? named + base : Number(text);
  };
  return field.split(',').some((part) => {
    const [range = '', step] = part.split('/');
    if (range === '*' || range === '?') return step === undefined || (value - base) % Number(step) === 0;
    const [from = '', to] = range.split('-');
    const first = number(from);
    const last = to !== undefined ? number(to) : step !== undefined ? Infinity : first;
    if (!Number.isInteger(first)) throw new Error(`The local runner cannot read "${field}" in a schedule.`);
    return value >= first && value <= last && (value - first) % Number(step ?? 1) === 0;
  });
}
