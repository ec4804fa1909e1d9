interface Entry<T> {
  readonly item: T;
  readonly at: number;
  readonly turn: number;
}

/**
 * Items by the time at which something is due for them: a binary heap in which an item can be found again.
 * Of items due at the same time the one set first comes first, so that messages go in the order they came.
 */
export class Deadlines<T> {
  private readonly heap: Entry<T>[] = [];
  private readonly places = new Map<T, number>();
  private lastTurn = 0;

  get next(): number | undefined {
    return this.heap[0]?.at;
  }

  set(item: T, at: number): void {
    this.delete(item);
    this.lastTurn += 1;
    this.heap.push({ item, at, turn: this.lastTurn });
    this.rise(this.heap.length - 1);
  }

  delete(item: T): void {
    const place = this.places.get(item);
    if (place === undefined) return;
    this.places.delete(item);
    const last = this.heap.pop();
    if (!last || place === this.heap.length) return;
    this.heap[place] = last;
    this.sink(place);
    this.rise(place);
  }

  /** Removes and returns the earliest item that is due. */
  takeDue(now: number): T | undefined {
    const earliest = this.heap[0];
    if (!earliest || earliest.at > now) return undefined;
    this.delete(earliest.item);
    return earliest.item;
  }

  private rise(start: number): void {
    let place = start;
    const entry = this.heap[place]!;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (isBefore(this.heap[parent]!, entry)) break;
      this.put(this.heap[parent]!, place);
      place = parent;
    }
    this.put(entry, place);
  }

  private sink(start: number): void {
    let place = start;
    const entry = this.heap[place]!;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.heap.length) break;
      if (child + 1 < this.heap.length && isBefore(this.heap[child + 1]!, this.heap[child]!)) child += 1;
      if (isBefore(entry, this.heap[child]!)) break;
      this.put(this.heap[child]!, place);
      place = child;
    }
    this.put(entry, place);
  }

  private put(entry: Entry<T>, place: number): void {
    this.heap[place] = entry;
    this.places.set(entry.item, place);
  }
}

function isBefore<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.at < b.at || (a.at === b.at && a.turn < b.turn);
}
