import fc from 'fast-check';
import { expect, it } from 'vitest';
import { advance } from '../../../shared/domain/advance.ts';
import type { Email } from '../../../shared/domain/email.ts';
import { findTransition, isLive, isSent } from '../../../shared/domain/email-state.ts';
import { aCommand, COMMAND_TYPES } from '../../factories/a-command.ts';
import { anEmail } from '../../factories/an-email.ts';
import { HOUR, iso, NOW } from '../../factories/moments.ts';

const first = fc.constantFrom(
  anEmail(),
  anEmail({ status: 'SCHEDULED', sendAt: iso(NOW + HOUR), worksetKey: 'due#0', worksetAt: iso(NOW + HOUR) }),
);
const steps = fc.array(fc.tuple(fc.constantFrom(...COMMAND_TYPES), fc.nat(2 * HOUR)), {
  maxLength: 200,
  size: 'max',
});

/** Gives the commands one after the other; what is refused changes nothing. */
function live(email: Email, commands: [(typeof COMMAND_TYPES)[number], number][]): Email[] {
  const life = [email];
  let now = NOW;
  for (const [type, ms] of commands) {
    now += ms;
    const before = life.at(-1) ?? email;
    const advanced = advance(before, aCommand(type), now);
    expect(advanced.ok).toBe(findTransition(before.status, type) !== undefined);
    if (advanced.ok) life.push(advanced.email);
  }
  return life;
}

it('whatever is asked of a mail, it follows the table and counts its writes', () => {
  fc.assert(
    fc.property(first, steps, (email, commands) => {
      live(email, commands).forEach((mail, i) => expect(mail.rev).toBe(email.rev + i));
    }),
  );
});

it('a mail that SES has stays one that SES has', () => {
  fc.assert(
    fc.property(first, steps, (email, commands) => {
      const life = live(email, commands);
      const sent = life.findIndex((mail) => isSent(mail.status));
      for (const mail of sent < 0 ? [] : life.slice(sent)) expect(isSent(mail.status)).toBe(true);
    }),
  );
});

it('a live mail can always be found, a final one always has an end, and no timeline outgrows 50 lines', () => {
  fc.assert(
    fc.property(first, steps, (email, commands) => {
      for (const mail of live(email, commands)) {
        const open = mail.status === 'SCHEDULED' || isLive(mail.status);
        expect(mail.worksetKey !== undefined).toBe(open || mail.status === 'FAILED');
        expect(mail.purgeAt === undefined).toBe(open);
        expect(mail.events.length).toBeLessThanOrEqual(50);
      }
    }),
  );
});

it('seq never goes back', () => {
  fc.assert(
    fc.property(first, steps, (email, commands) => {
      const seqs = live(email, commands).map(({ seq }) => seq);
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    }),
  );
});
