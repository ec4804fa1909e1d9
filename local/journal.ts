import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const LARGEST_GROWTH = 64 * 1024 * 1024;

/**
 * A map that survives `kill -9`: each change is one appended line, written before the call returns.
 * The last line for a key wins. A line that a crash cut short is the last one and is dropped.
 */
export class Journal<T> {
  private readonly live = new Map<string, T>();
  private file: number;
  private lines = 0;
  /** Bytes appended since the file was last rewritten, and how many it had then. */
  private appended = 0;
  private rewritten = 0;

  private constructor(private readonly path: string) {
    mkdirSync(dirname(path), { recursive: true });
    if (existsSync(path)) this.replay(readFileSync(path, 'utf8'));
    this.file = this.rewrite();
  }

  static open<T>(path: string): Journal<T> {
    return new Journal<T>(path);
  }

  get(key: string): T | undefined {
    return this.live.get(key);
  }

  /** In the order in which the keys were first written. */
  entries(): IterableIterator<[string, T]> {
    return this.live.entries();
  }

  get size(): number {
    return this.live.size;
  }

  set(key: string, value: T): void {
    this.live.set(key, value);
    this.append([key, value]);
  }

  delete(key: string): void {
    if (this.live.delete(key)) this.append([key]);
  }

  close(): void {
    closeSync(this.file);
  }

  private append(line: [string, T] | [string]): void {
    this.appended += writeSync(this.file, JSON.stringify(line) + '\n');
    this.lines += 1;
    const tooManyLines = this.lines > 2 * this.live.size + 10_000;
    if (tooManyLines || this.appended > 2 * this.rewritten + LARGEST_GROWTH) {
      closeSync(this.file);
      this.file = this.rewrite();
    }
  }

  private replay(text: string): void {
    for (const line of text.split('\n')) {
      if (line === '') continue;
      let entry: [string, T] | [string];
      try {
        entry = JSON.parse(line) as [string, T] | [string];
      } catch {
        continue;
      }
      if (entry.length === 2) this.live.set(entry[0], entry[1]);
      else this.live.delete(entry[0]);
    }
  }

  /** Writes what is live to a fresh file and swaps it in; returns it, open for appending. */
  private rewrite(): number {
    const fresh = `${this.path}.new`;
    const file = openSync(fresh, 'w');
    this.rewritten = 0;
    for (const entry of this.live) this.rewritten += writeSync(file, JSON.stringify(entry) + '\n');
    this.appended = 0;
    renameSync(fresh, this.path);
    this.lines = this.live.size;
    return file;
  }
}
