import { randomUUID } from 'node:crypto';
import { mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Journal } from '../../journal.ts';

export interface StoredObject {
  /** Its content, in the bucket's `content` folder. Keys never become file names. */
  readonly file: string;
  readonly size: number;
  /** The MD5 of the content, in hexadecimal and without the quotes. */
  readonly eTag: string;
  /** In milliseconds, but S3 knows full seconds only. */
  readonly lastModified: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly checksum: Readonly<Record<string, string>>;
}

/**
 * An object is a file under a name of its own and a line in the journal. The line makes it visible, so a crash
 * leaves either the old object or the new one, and at most a file that no line names.
 */
export class Bucket {
  private readonly objects: Journal<StoredObject>;
  private readonly contentDir: string;

  constructor(
    readonly name: string,
    directory: string,
  ) {
    this.contentDir = join(directory, 'content');
    mkdirSync(this.contentDir, { recursive: true });
    this.objects = Journal.open(join(directory, 'objects.jsonl'));
    this.removeUnnamedFiles();
  }

  get(key: string): StoredObject | undefined {
    return this.objects.get(key);
  }

  entries(): IterableIterator<[string, StoredObject]> {
    return this.objects.entries();
  }

  newFile(): string {
    return randomUUID();
  }

  pathOf(file: string): string {
    return join(this.contentDir, file);
  }

  /** The descriptor still reads what it was opened on when the object is replaced or deleted meanwhile. */
  open(object: StoredObject): number {
    return openSync(this.pathOf(object.file), 'r');
  }

  put(key: string, object: StoredObject): void {
    const replaced = this.objects.get(key);
    this.objects.set(key, object);
    if (replaced) this.removeFile(replaced.file);
  }

  delete(key: string): void {
    const deleted = this.objects.get(key);
    this.objects.delete(key);
    if (deleted) this.removeFile(deleted.file);
  }

  removeFile(file: string): void {
    rmSync(this.pathOf(file), { force: true });
  }

  close(): void {
    this.objects.close();
  }

  private removeUnnamedFiles(): void {
    const named = new Set([...this.objects.entries()].map(([, { file }]) => file));
    for (const file of readdirSync(this.contentDir)) {
      if (!named.has(file)) this.removeFile(file);
    }
  }
}
