const SHRINK_AFTER = 1024;

/** A list that is cheap at both ends, however long it is. */
export class Deque<T> {
  private items: (T | undefined)[] = [];
  private head = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  first(): T | undefined {
    return this.items[this.head];
  }

  push(item: T): void {
    this.items.push(item);
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.items[this.head];
    this.items[this.head] = undefined;
    this.head += 1;
    if (this.head > SHRINK_AFTER && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }

  unshift(item: T): void {
    if (this.head === 0) {
      this.items.unshift(item);
    } else {
      this.head -= 1;
      this.items[this.head] = item;
    }
  }

  /** Looks from the front, where what is removed nearly always stands. */
  delete(item: T): void {
    if (this.first() === item) {
      this.shift();
      return;
    }
    const index = this.items.indexOf(item, this.head);
    if (index >= 0) this.items.splice(index, 1);
  }
}
