const MINUTE_MS = 60_000;
const UNIT_MS: Readonly<Record<string, number>> = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 24 * 60 * MINUTE_MS,
};
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MINUTES_IN_LEAP_YEAR = 366 * 24 * 60;

interface CronField {
  of(at: Date): number;
  /** Where it starts to count, so that a step does: every second day of a month is the 1st, the 3rd, … */
  readonly base: number;
  readonly names: readonly string[];
}

const CRON_FIELDS: readonly CronField[] = [
  { of: (at) => at.getUTCMinutes(), base: 0, names: [] },
  { of: (at) => at.getUTCHours(), base: 0, names: [] },
  { of: (at) => at.getUTCDate(), base: 1, names: [] },
  { of: (at) => at.getUTCMonth() + 1, base: 1, names: MONTHS },
  { of: (at) => at.getUTCDay() + 1, base: 1, names: DAYS },
  { of: (at) => at.getUTCFullYear(), base: 1970, names: [] },
];

/** When a schedule fires next, after `now`. */
export type Schedule = (now: number) => number;

/** EventBridge's `rate(5 minutes)` and `cron(0 12 * * ? *)`, the latter without its L, W and #. */
export function parseSchedule(expression: string): Schedule {
  const rate = /^rate\(([1-9]\d*) (minute|hour|day)s?\)$/.exec(expression);
  if (rate) {
    const period = Number(rate[1]) * (UNIT_MS[rate[2] ?? ''] ?? 0);
    return (now) => now + period;
  }
  const fields = /^cron\(([^)]+)\)$/.exec(expression)?.[1]?.trim().split(/\s+/);
  if (fields?.length !== 6) throw new Error(`The local runner cannot read the schedule "${expression}".`);
  const matchers = fields.map((field, position) => fieldMatcher(field, CRON_FIELDS[position]));
  const matches = (at: Date) =>
    matchers.every((matches, position) => matches(CRON_FIELDS[position]?.of(at) ?? 0));
  return (now) => {
    let at = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    for (let i = 0; i < MINUTES_IN_LEAP_YEAR; i += 1) {
      at += MINUTE_MS;
      if (matches(new Date(at))) return at;
    }
    return Infinity;
  };
}

/** Read as a whole before the first use: a part that is not understood must not surface at midnight. */
function fieldMatcher(field: string, { base = 0, names = [] }: Partial<CronField> = {}) {
  const number = (text: string) => {
    const named = names.indexOf(text.toUpperCase());
    const value = named >= 0 ? named + base : Number(text || NaN);
    if (Number.isInteger(value)) return value;
    throw new Error(`The local runner cannot read "${field}" in a schedule.`);
  };
  const ranges = field.split(',').map((part) => {
    const [range = '', step] = part.split('/');
    const every = step === undefined ? 1 : number(step);
    if (range === '*' || range === '?') return { first: base, last: Infinity, every };
    const [from = '', to] = range.split('-');
    const first = number(from);
    return { first, last: to !== undefined ? number(to) : step !== undefined ? Infinity : first, every };
  });
  return (value: number) =>
    ranges.some(({ first, last, every }) => value >= first && value <= last && (value - first) % every === 0);
}
