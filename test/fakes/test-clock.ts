import { NOW } from '../factories/moments.ts';

/** Time stands still until somebody moves it; whoever sleeps moves it. */
export class TestClock {
  private time: number;
  readonly slept: number[] = [];

  constructor(start = NOW) {
    this.time = start;
  }

  readonly now = (): number => this.time;

  readonly sleep = (ms: number): Promise<void> => {
    this.slept.push(ms);
    this.time += ms;
    return Promise.resolve();
  };

  advance(ms: number): void {
    this.time += ms;
  }
}
