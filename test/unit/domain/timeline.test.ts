import { expect, it } from 'vitest';
import { advance } from '../../../shared/domain/advance.ts';
import type { EmailEvent } from '../../../shared/domain/email.ts';
import { appendEvents } from '../../../shared/domain/timeline.ts';
import { aCommand } from '../../factories/a-command.ts';
import { anEmail } from '../../factories/an-email.ts';
import { iso, NOW } from '../../factories/moments.ts';

const numbered = (from: number, to: number): EmailEvent[] =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ type: 'HELD', at: iso(NOW), meta: { n: from + i } }));
const numbers = (events: readonly EmailEvent[]) => events.map((event) => event.meta?.['n']);

it('keeps all of the first 50', () => {
  expect(numbers(appendEvents(numbered(1, 49), ...numbered(50, 50)))).toEqual(numbers(numbered(1, 50)));
});

it('then keeps the first 10 and the last 40', () => {
  expect(numbers(appendEvents(numbered(1, 50), ...numbered(51, 53)))).toEqual([
    ...numbers(numbered(1, 10)),
    ...numbers(numbered(14, 53)),
  ]);
});

it('keeps the same first 10 however long the story gets', () => {
  let events: readonly EmailEvent[] = [];
  for (let n = 1; n <= 500; n++) events = appendEvents(events, ...numbered(n, n));
  expect(numbers(events)).toEqual([...numbers(numbered(1, 10)), ...numbers(numbered(461, 500))]);
});

it('changes nothing in what it was given', () => {
  const given = numbered(1, 50);
  appendEvents(given, ...numbered(51, 51));
  expect(given).toEqual(numbered(1, 50));
});

it('holds for a mail', () => {
  const held = advance(anEmail({ events: numbered(1, 50) }), aCommand('HOLD'), NOW);
  expect(held.ok && held.email.events.length).toBe(50);
});
