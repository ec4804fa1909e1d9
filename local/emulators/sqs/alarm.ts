import type { Clock } from '../../clock.ts';

/** One timer that is moved about: it rings once, at the time set last. */
export class Alarm {
  private set: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly ring: () => void,
  ) {}

  setFor(at: number | undefined): void {
    if (this.set?.at === at) return;
    this.set?.cancel();
    this.set = undefined;
    if (at === undefined) return;
    const cancel = this.clock.after(at - this.clock.now(), () => {
      this.set = undefined;
      this.ring();
    });
    this.set = { at, cancel };
  }
}
