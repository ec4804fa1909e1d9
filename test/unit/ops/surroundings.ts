import type { Connection } from '../../../ops/connection.ts';
import type { Surroundings } from '../../../ops/run.ts';
import type { Target } from '../../../ops/shared-options.ts';

export interface Watched extends Surroundings {
  readonly printed: string[];
  readonly complained: string[];
  readonly targets: Target[];
}

/** A terminal that remembers what was written to it. Without `answer`, nobody sits there. */
export function watched(given: { answer?: string; connection?: Partial<Connection> } = {}): Watched {
  const printed: string[] = [];
  const complained: string[] = [];
  const targets: Target[] = [];
  const { answer } = given;
  return {
    program: 'ops',
    printed,
    complained,
    targets,
    out: (text) => printed.push(text),
    err: (text) => complained.push(text),
    ...(answer !== undefined && {
      ask: (question: string) => {
        complained.push(question);
        return Promise.resolve(answer);
      },
    }),
    connect: (target) => {
      targets.push(target);
      return Promise.resolve(given.connection as Connection);
    },
    now: () => Date.parse('2026-03-01T12:00:00.000Z'),
  };
}
