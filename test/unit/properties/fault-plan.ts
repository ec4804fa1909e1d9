import fc from 'fast-check';
import { ses, type SesOutcome } from '../../fakes/scripted-mailer.ts';

/**
 * What befalls one call of a port. A crash ends the invocation there and then, with nothing cleaned up, before or
 * after the call took effect; `lost`: it took effect, and the caller is told that it failed.
 */
export interface Fate {
  readonly kind: 'fine' | 'fails' | 'lost' | 'crashBefore' | 'crashAfter';
  readonly ms: number;
}

export const FINE: Fate = { kind: 'fine', ms: 0 };

const fate = (kind: Fate['kind']) =>
  fc.record({ kind: fc.constant(kind), ms: fc.constantFrom(0, 0, 20, 900, 12_000) });

/** One fate a call; `kindness` kind ones to one of each other sort. */
export function fates(kindness: number): fc.Arbitrary<Fate[]> {
  return fc.array(
    fc.oneof(
      { weight: kindness, arbitrary: fate('fine') },
      ...(['fails', 'lost', 'crashBefore', 'crashAfter'] as const).map((kind) => ({
        weight: 1,
        arbitrary: fate(kind),
      })),
    ),
    { maxLength: 120, size: 'max' },
  );
}

export type OutcomeName = keyof typeof ses;

/** What SES does, call by call. */
export function outcomes(
  names: readonly OutcomeName[] = Object.keys(ses) as OutcomeName[],
): fc.Arbitrary<OutcomeName[]> {
  return fc.array(fc.constantFrom(...names), { maxLength: 15, size: 'max' });
}

export function scriptOf(names: readonly OutcomeName[]): SesOutcome[] {
  return names.map((name) => ses[name]);
}
