import fc from 'fast-check';
import type { QueueName } from '../../../shared/domain/lanes.ts';
import { HOUR, MINUTE, SECOND } from '../../factories/moments.ts';

/** Something that happens in the world. */
export type Action =
  | { readonly do: 'accept'; readonly mail: AskedMail }
  | { readonly do: 'relay'; readonly replay: boolean }
  | { readonly do: 'receive'; readonly queue: QueueName; readonly again: boolean }
  /** Time passes until something falls due, and a sender takes it. */
  | { readonly do: 'tick'; readonly queue: QueueName }
  | { readonly do: 'sweep' }
  | { readonly do: 'jump'; readonly ms: number }
  | { readonly do: 'cancel'; readonly mail: number }
  | { readonly do: 'redrive' }
  | { readonly do: 'event'; readonly which: number; readonly keep: boolean }
  | { readonly do: 'empty' }
  | { readonly do: 'suspend'; readonly suspended: boolean }
  | { readonly do: 'suppress' };

interface AskedMail {
  readonly onInDoubt: 'resend' | 'fail';
  readonly priority: number;
  readonly ttlSeconds?: number;
  readonly delayMs?: number;
}

const mail = fc.record(
  {
    onInDoubt: fc.constantFrom('resend', 'resend', 'fail'),
    priority: fc.constantFrom(1, 5, 5, 8),
    ttlSeconds: fc.constantFrom(60, 60, 600, 3600),
    delayMs: fc.constantFrom(MINUTE, 2 * HOUR),
  },
  { requiredKeys: ['onInDoubt', 'priority'] },
) as fc.Arbitrary<AskedMail>;

export const JUMPS: readonly number[] = [
  SECOND,
  6 * SECOND,
  35 * SECOND,
  71 * SECOND,
  125 * SECOND,
  6 * MINUTE,
  11 * MINUTE,
  HOUR,
];

const queue = fc.constantFrom<QueueName>('express', 'express', 'express', 'bulk');
const jump = (lengths: readonly number[]) =>
  fc.record({ do: fc.constant('jump' as const), ms: fc.constantFrom(...lengths) });

const action = {
  accept: fc.record({ do: fc.constant('accept' as const), mail }),
  relay: fc.record({ do: fc.constant('relay' as const), replay: fc.boolean() }),
  tick: fc.record({ do: fc.constant('tick' as const), queue }),
  receive: fc.record({
    do: fc.constant('receive' as const),
    queue,
    again: fc.constantFrom(false, false, false, true),
  }),
  sweep: fc.constant({ do: 'sweep' as const }),
  jump: jump(JUMPS),
  cancel: fc.record({ do: fc.constant('cancel' as const), mail: fc.nat(3) }),
  redrive: fc.constant({ do: 'redrive' as const }),
  event: fc.record({ do: fc.constant('event' as const), which: fc.nat(5), keep: fc.boolean() }),
  empty: fc.constant({ do: 'empty' as const }),
  suspend: fc.record({ do: fc.constant('suspend' as const), suspended: fc.boolean() }),
  suppress: fc.constant({ do: 'suppress' as const }),
} satisfies Record<Action['do'], fc.Arbitrary<Action>>;

export type Weights = Partial<Record<Action['do'], number>>;

/** A day in the life of the gateway: a mail or two first, then whatever happens. */
export function days(weights: Weights, jumps = JUMPS): fc.Arbitrary<Action[]> {
  const weighted = (Object.keys(weights) as Action['do'][]).map((name) => ({
    weight: weights[name] ?? 0,
    arbitrary: (name === 'jump' ? jump(jumps) : action[name]) as fc.Arbitrary<Action>,
  }));
  return fc
    .tuple(
      fc.array(action.accept, { minLength: 1, maxLength: 2 }),
      fc.array(fc.oneof(...weighted), { maxLength: 60, size: 'max' }),
    )
    .map(([mails, rest]) => [...mails, { do: 'relay', replay: false }, ...rest]);
}
