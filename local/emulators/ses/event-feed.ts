import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { SesEvent } from './events.ts';

const settingsSchema = z.strictObject({
  send: z.enum(['normal', 'drop']),
  delayMs: z.int().min(0).max(86_400_000).default(0),
});

type FeedSettings = z.infer<typeof settingsSchema>;

const NORMAL: FeedSettings = { send: 'normal', delayMs: 0 };

/** Throws a ZodError that names every field that is wrong. */
export function parseFeedSettings(json: unknown): FeedSettings {
  return settingsSchema.parse(json);
}

/** Hands events on after the send was answered. Best effort, as in AWS: what waits when it closes is lost. */
export class EventFeed {
  private settings = NORMAL;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    private readonly onEvent: (event: SesEvent) => void,
  ) {}

  configure(settings: FeedSettings): void {
    this.settings = settings;
  }

  reset(): void {
    this.settings = NORMAL;
  }

  publish(events: readonly SesEvent[]): void {
    if (this.settings.send === 'drop' || events.length === 0) return;
    const cancel = this.clock.after(this.settings.delayMs, () => {
      this.waiting.delete(cancel);
      events.forEach(this.onEvent);
    });
    this.waiting.add(cancel);
  }

  close(): void {
    for (const cancel of this.waiting) cancel();
    this.waiting.clear();
  }
}
