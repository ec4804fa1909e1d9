const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How many recipients were served in the last 24 hours, to the minute. */
export class SendStatistics {
  private readonly perMinute = new Map<number, number>();

  record(recipients: number, at: number): void {
    const minute = Math.floor(at / MINUTE_MS);
    this.perMinute.set(minute, (this.perMinute.get(minute) ?? 0) + recipients);
  }

  last24Hours(now: number): number {
    let sum = 0;
    for (const [minute, recipients] of this.perMinute) {
      if ((minute + 1) * MINUTE_MS <= now - DAY_MS) this.perMinute.delete(minute);
      else sum += recipients;
    }
    return sum;
  }
}
