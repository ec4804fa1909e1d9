import { Deque } from './deque.ts';
import { groupOf, type Message } from './message.ts';

/** One message group: what waits, in order, and how many of its messages are in flight. */
export class MessageGroup {
  readonly waiting = new Deque<Message>();
  inFlight = 0;
  /** Whether it stands in the line of groups to serve. */
  inLine = false;

  constructor(readonly id: string) {}

  /** A group is closed while any of its messages is in flight or its first one is delayed. */
  get isOpen(): boolean {
    return this.inFlight === 0 && this.waiting.first()?.state === 'visible';
  }
}

/**
 * All groups of a queue, and the line in which the open ones wait to be served. A group that is served goes
 * to the end of the line when it opens again, so a deep group cannot keep the others waiting.
 */
export class MessageGroups {
  private readonly groups = new Map<string, MessageGroup>();
  /** May hold groups that closed meanwhile; they are dropped when they come up. */
  private readonly line = new Deque<MessageGroup>();

  constructor(private readonly fifo: boolean) {}

  append(message: Message): void {
    const group = this.groupFor(message);
    group.waiting.push(message);
    this.reconsider(group);
  }

  /** Counts a message that was in flight before a restart. */
  addInFlight(message: Message): void {
    this.groupFor(message).inFlight += 1;
  }

  /** The next open group leaves the line; hand it to `reconsider` when done with it. */
  takeOpen(): MessageGroup | undefined {
    for (;;) {
      const group = this.line.shift();
      if (!group) return undefined;
      group.inLine = false;
      if (group.isOpen) return group;
    }
  }

  /** The next open group, which keeps its place in the line. */
  firstOpen(): MessageGroup | undefined {
    const group = this.takeOpen();
    if (group) {
      this.line.unshift(group);
      group.inLine = true;
    }
    return group;
  }

  isOpen(message: Message): boolean {
    return this.groupFor(message).isOpen;
  }

  /** A message in flight returns to its place before all later ones. */
  putBack(message: Message): void {
    const group = this.groupFor(message);
    const earlier: Message[] = [];
    for (;;) {
      const first = group.waiting.first();
      if (!first || first.stored.sequence > message.stored.sequence) break;
      earlier.push(first);
      group.waiting.shift();
    }
    group.waiting.unshift(message);
    for (const each of earlier.reverse()) group.waiting.unshift(each);
    group.inFlight -= 1;
    this.reconsider(group);
  }

  remove(message: Message): void {
    const group = this.groupFor(message);
    if (message.state === 'inFlight') group.inFlight -= 1;
    else group.waiting.delete(message);
    this.reconsider(group);
  }

  stoppedDelaying(message: Message): void {
    this.reconsider(this.groupFor(message));
  }

  reconsider(group: MessageGroup): void {
    if (group.isOpen && !group.inLine) {
      group.inLine = true;
      this.line.push(group);
    } else if (group.inFlight === 0 && group.waiting.length === 0) {
      this.groups.delete(group.id);
    }
  }

  private groupFor(message: Message): MessageGroup {
    const id = groupOf(message, this.fifo);
    let group = this.groups.get(id);
    if (!group) {
      group = new MessageGroup(id);
      this.groups.set(id, group);
    }
    return group;
  }
}
