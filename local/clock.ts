/** Time as the emulators see it, so that a test can move it by hand. */
export interface Clock {
  now(): number;
  /** Runs `callback` once, `ms` milliseconds from now; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
  /** How many milliseconds ahead of real time it is, for the functions' workers: one float64. */
  readonly shift?: SharedArrayBuffer;
}

/** setTimeout fires at once for longer delays than this (2^31 - 1 ms). */
const LONGEST_TIMER_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    let timer: NodeJS.Timeout;
    const arm = (left: number) => {
      const next = left > LONGEST_TIMER_MS ? () => arm(left - LONGEST_TIMER_MS) : callback;
      timer = setTimeout(next, Math.min(Math.max(0, left), LONGEST_TIMER_MS));
      timer.unref();
    };
    arm(ms);
    return () => clearTimeout(timer);
  },
};

/** A clock that stands still until it is told to move. */
export class ManualClock implements Clock {
  private readonly timers = new Set<{ at: number; callback: () => void }>();

  constructor(private time = Date.now()) {}

  now(): number {
    return this.time;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.time + Math.max(0, ms), callback };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Moves on, running what falls due on the way in the order it falls due. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = [...this.timers].filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers.delete(next);
      this.time = next.at;
      next.callback();
    }
    this.time = end;
  }
}

/** Runs like real time and can jump ahead, the clocks of running functions included. */
export class JumpingClock implements Clock {
  readonly shift = new SharedArrayBuffer(8);
  private readonly ahead = new Float64Array(this.shift);
  private readonly waiting = new Map<symbol, { at: number; callback: () => void; cancel: () => void }>();

  now(): number {
    return Date.now() + (this.ahead[0] ?? 0);
  }

  after(ms: number, callback: () => void): () => void {
    const key = Symbol('timer');
    this.arm(key, this.now() + ms, callback);
    return () => {
      this.waiting.get(key)?.cancel();
      this.waiting.delete(key);
    };
  }

  /** What falls due on the way runs at once, in the order it falls due. */
  jump(ms: number): void {
    this.ahead[0] = (this.ahead[0] ?? 0) + ms;
    const timers = [...this.waiting].sort(([, a], [, b]) => a.at - b.at);
    for (const [key, { at, callback, cancel }] of timers) {
      cancel();
      this.arm(key, at, callback);
    }
  }

  private arm(key: symbol, at: number, callback: () => void): void {
    const cancel = systemClock.after(at - this.now(), () => {
      this.waiting.delete(key);
      callback();
    });
    this.waiting.set(key, { at, callback, cancel });
  }
}
