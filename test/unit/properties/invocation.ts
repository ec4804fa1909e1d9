import type { TestClock } from '../../fakes/test-clock.ts';
import { serviceError } from '../../fakes/service-error.ts';
import type { Fate } from './fault-plan.ts';

export interface Surroundings {
  readonly clock: TestClock;
  /** Resolves when the scheduler lets this call go on. */
  readonly turn: (call: string) => Promise<unknown>;
  readonly nextFate: () => Fate;
}

/** One life of a function: it waits its turn at each port call, and may die at any of them. */
export class Invocation {
  private readonly startedAt: number;
  private die!: () => void;
  private readonly death = new Promise<'died'>((resolve) => {
    this.die = () => resolve('died');
  });
  private dead = false;

  constructor(
    private readonly around: Surroundings,
    private readonly name: string,
    private readonly timeoutMs: number,
  ) {
    this.startedAt = around.clock.now();
  }

  readonly remainingMs = (): number => this.timeoutMs - (this.around.clock.now() - this.startedAt);

  /** What the work came to, or that it never came to anything. */
  run<T>(work: () => Promise<T>): Promise<T | 'died'> {
    return Promise.race([work(), this.death]);
  }

  async call<T>(port: string, effect: () => Promise<T>): Promise<T> {
    await this.around.turn(`${this.name}: ${port}`);
    const { kind, ms } = this.around.nextFate();
    this.around.clock.advance(ms);
    if (this.dead || this.remainingMs() <= 0 || kind === 'crashBefore') return this.crash();
    if (kind === 'fails') throw serviceError('InternalServerError');
    const result = await effect();
    if (kind === 'crashAfter') return this.crash();
    if (kind === 'lost') throw serviceError('TimeoutError');
    return result;
  }

  /** The same object, each of its methods behind `call`. */
  through<T extends object>(port: string, target: T): T {
    return new Proxy(target, {
      get: (object, key) => {
        const member: unknown = Reflect.get(object, key);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) =>
          this.call(`${port}.${String(key)}`, () => member.apply(object, args) as Promise<unknown>);
      },
    });
  }

  private crash(): Promise<never> {
    this.dead = true;
    this.die();
    return new Promise(() => {});
  }
}
