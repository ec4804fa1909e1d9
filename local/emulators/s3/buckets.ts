import { join } from 'node:path';
import { Journal } from '../../journal.ts';
import { Bucket } from './bucket.ts';
import { S3Error } from './errors.ts';

interface BucketRecord {
  readonly createdAt: number;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET_NAME = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

export class Buckets {
  private readonly records: Journal<BucketRecord>;
  private readonly open = new Map<string, Bucket>();

  constructor(private readonly directory: string) {
    this.records = Journal.open(join(directory, 'buckets.jsonl'));
    for (const [name] of this.records.entries()) this.openBucket(name);
  }

  create(name: string, now: number): void {
    if (!BUCKET_NAME.test(name)) {
      throw new S3Error('InvalidBucketName', `The specified bucket is not valid: ${name}`);
    }
    if (this.open.has(name)) return;
    this.records.set(name, { createdAt: now });
    this.openBucket(name);
  }

  get(name: string): Bucket {
    const bucket = this.open.get(name);
    if (!bucket) throw new S3Error('NoSuchBucket', undefined, { details: { BucketName: name } });
    return bucket;
  }

  list(): { name: string; createdAt: number }[] {
    return [...this.records.entries()]
      .map(([name, { createdAt }]) => ({ name, createdAt }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  close(): void {
    for (const bucket of this.open.values()) bucket.close();
    this.records.close();
  }

  private openBucket(name: string): void {
    this.open.set(name, new Bucket(name, join(this.directory, 'buckets', name)));
  }
}
