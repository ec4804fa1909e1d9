import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../../../local/event-sources/schedule-expression.ts';
import { DAY, HOUR, MINUTE, NOW, iso } from '../../factories/moments.ts';

describe('a rate', () => {
  it.each([
    ['rate(1 minute)', MINUTE],
    ['rate(5 minutes)', 5 * MINUTE],
    ['rate(2 hours)', 2 * HOUR],
    ['rate(1 day)', DAY],
  ])('%s', (expression, period) => {
    expect(parseSchedule(expression)(NOW)).toBe(NOW + period);
  });
});

describe('a cron expression', () => {
  /** A Tuesday. */
  const now = Date.parse('2026-03-10T12:00:30.500Z');

  it.each([
    ['* * * * ? *', '2026-03-10T12:01:00.000Z'],
    ['0 12 * * ? *', '2026-03-11T12:00:00.000Z'],
    ['15 12 * * ? *', '2026-03-10T12:15:00.000Z'],
    ['0/20 * * * ? *', '2026-03-10T12:20:00.000Z'],
    ['*/7 * * * ? *', '2026-03-10T12:07:00.000Z'],
    ['10-12 9 * * ? *', '2026-03-11T09:10:00.000Z'],
    ['30,5 * * * ? *', '2026-03-10T12:05:00.000Z'],
    ['0 9 ? * MON-FRI *', '2026-03-11T09:00:00.000Z'],
    ['0 9 ? * sun *', '2026-03-15T09:00:00.000Z'],
    ['0 9 ? * 1 *', '2026-03-15T09:00:00.000Z'],
    ['0 0 1 * ? *', '2026-04-01T00:00:00.000Z'],
    ['0 0 */2 * ? *', '2026-03-11T00:00:00.000Z'],
    ['0 0 1 JAN ? *', '2027-01-01T00:00:00.000Z'],
    ['0 0 1 */6 ? *', '2026-07-01T00:00:00.000Z'],
    ['0 0 1 1 ? 2027', '2027-01-01T00:00:00.000Z'],
  ])('cron(%s)', (fields, expected) => {
    expect(iso(parseSchedule(`cron(${fields})`)(now))).toBe(expected);
  });

  it('is strictly later than now', () => {
    const onTheMinute = Date.parse('2026-03-10T12:00:00.000Z');
    expect(iso(parseSchedule('cron(0 12 * * ? *)')(onTheMinute))).toBe('2026-03-11T12:00:00.000Z');
  });

  it('never comes for a year that is over', () => {
    expect(parseSchedule('cron(0 0 1 1 ? 2020)')(now)).toBe(Infinity);
  });

  it.each([
    '0 0 L * ? *',
    '0 0 15W * ? *',
    '0 0 ? * 6#3 *',
    '0 0 ? * MON-XYZ *',
    '0/ 0 * * ? *',
    '-5 0 * * ? *',
  ])('cron(%s) is refused before its time comes', (fields) => {
    const culprit = fields.split(' ').find((field) => /[LW#Z]|\/$|^-/.test(field));
    expect(() => parseSchedule(`cron(${fields})`)).toThrow(
      new Error(`The local runner cannot read "${culprit}" in a schedule.`),
    );
  });
});

it.each([
  'rate(0 minutes)',
  'rate(5 seconds)',
  'rate(1.5 hours)',
  'cron(* * * * *)',
  'at(2026-01-01T00:00:00)',
  '',
])('"%s" is refused by name', (expression) => {
  expect(() => parseSchedule(expression)).toThrow(
    new Error(`The local runner cannot read the schedule "${expression}".`),
  );
});
