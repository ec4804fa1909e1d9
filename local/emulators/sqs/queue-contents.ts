import type { Clock } from '../../clock.ts';
import { Alarm } from './alarm.ts';
import { Deadlines } from './deadlines.ts';
import { MessageGroups } from './message-groups.ts';
import type { Message, MessageState } from './message.ts';

/**
 * The messages of one queue in memory: which are delayed, visible or in flight, and until when. Time passes in
 * `settle`, which every operation calls first, and which the alarm calls when something falls due in between.
 */
export class QueueContents {
  readonly counts: Record<MessageState, number> = { delayed: 0, visible: 0, inFlight: 0 };

  private readonly messages = new Map<string, Message>();
  private readonly groups: MessageGroups;
  private readonly hiddenUntil = new Deadlines<Message>();
  private readonly keptUntil = new Deadlines<Message>();
  private readonly alarm: Alarm;
  private announcing = false;

  constructor(
    fifo: boolean,
    private readonly clock: Clock,
    private readonly discard: (outlived: Message) => void,
    /** Called, once the current operation is over, when there is something to receive. */
    private readonly available: () => void,
  ) {
    this.groups = new MessageGroups(fifo);
    this.alarm = new Alarm(clock, () => this.settle());
  }

  get(id: string): Message | undefined {
    return this.messages.get(id);
  }

  all(): Message[] {
    return [...this.messages.values()];
  }

  add(message: Message, hiddenUntil: number, keptUntil: number): void {
    this.messages.set(message.stored.id, message);
    this.counts[message.state] += 1;
    this.keptUntil.set(message, keptUntil);
    if (message.state !== 'visible') this.hiddenUntil.set(message, hiddenUntil);
    if (message.state === 'inFlight') this.groups.addInFlight(message);
    else this.groups.append(message);
    this.changed();
  }

  remove(message: Message): void {
    this.groups.remove(message);
    this.counts[message.state] -= 1;
    this.messages.delete(message.stored.id);
    this.hiddenUntil.delete(message);
    this.keptUntil.delete(message);
    message.delivery = undefined;
    this.changed();
  }

  hide(message: Message, until: number): void {
    this.hiddenUntil.set(message, until);
    this.changed();
  }

  keep(message: Message, until: number): void {
    this.keptUntil.set(message, until);
    this.changed();
  }

  /** The oldest message that could be received: in the map they stand in the order in which they came. */
  oldestVisible(): Message | undefined {
    if (!this.groups.firstOpen()) return undefined;
    for (const message of this.messages.values()) {
      if (message.state === 'visible' && this.groups.isOpen(message)) return message;
    }
    return undefined;
  }

  /**
   * Several messages of one group in order, then those of the next group, until there are enough; they are in
   * flight from then on. A message that `divert` takes out of the queue is passed over.
   */
  takeVisible(max: number, divert: (message: Message) => boolean): Message[] {
    const taken: Message[] = [];
    while (taken.length < max) {
      const group = this.groups.takeOpen();
      if (!group) break;
      for (;;) {
        const message = group.waiting.first();
        if (message?.state !== 'visible' || taken.length === max) break;
        if (divert(message)) continue;
        group.waiting.shift();
        group.inFlight += 1;
        this.enter(message, 'inFlight');
        taken.push(message);
      }
      this.groups.reconsider(group);
    }
    this.changed();
    return taken;
  }

  /** Lets time pass: what was hidden long enough shows again, what was kept long enough goes. */
  settle(): void {
    const now = this.clock.now();
    for (let outlived; (outlived = this.keptUntil.takeDue(now));) this.discard(outlived);
    for (let due; (due = this.hiddenUntil.takeDue(now));) {
      const wasDelayed = due.state === 'delayed';
      this.enter(due, 'visible');
      if (wasDelayed) this.groups.stoppedDelaying(due);
      else this.groups.putBack(due);
    }
    this.changed();
  }

  close(): void {
    this.alarm.setFor(undefined);
  }

  private enter(message: Message, state: MessageState): void {
    this.counts[message.state] -= 1;
    this.counts[state] += 1;
    message.state = state;
  }

  private changed(): void {
    const next = Math.min(this.hiddenUntil.next ?? Infinity, this.keptUntil.next ?? Infinity);
    this.alarm.setFor(next === Infinity ? undefined : next);
    if (this.announcing || !this.groups.firstOpen()) return;
    this.announcing = true;
    queueMicrotask(() => {
      this.announcing = false;
      this.available();
    });
  }
}
