import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Clock } from '../clock.ts';
import type { Journal } from '../journal.ts';
import type { LambdaFunction } from '../lambda/lambda-function.ts';
import type { MappingSettings } from './mapping-settings.ts';
import { runStreamBatch, streamRecord, type GivenUp, type StreamRecord } from './stream-batch.ts';
import { listShards, ShardReader } from './stream-reader.ts';

/** Lambda polls an idle shard four times a second. */
const IDLE_POLL_MS = 100;
const LOOK_FOR_SHARDS_MS = 10_000;

export interface StreamMappingPorts {
  readonly target: LambdaFunction;
  readonly streams: DynamoDBStreamsClient;
  /** How far each shard was handled; a restart goes on from there. */
  readonly checkpoints: Journal<string>;
  readonly clock: Clock;
  sendToQueue(queueArn: string, body: string): Promise<void>;
}

/**
 * Lambda's poller for a DynamoDB stream, one batch at a time per shard. A new mapping starts at the oldest
 * record even where the template says LATEST: it is created with its table, so there is nothing older.
 */
export class StreamMapping {
  private readonly shards = new Map<string, Promise<void>>();
  private readonly finished = new Set<string>();
  private readonly stop = new AbortController();
  private watching: Promise<void> | undefined;

  constructor(
    private readonly settings: MappingSettings,
    private readonly ports: StreamMappingPorts,
  ) {}

  start(): Promise<void> {
    this.watching = this.watchShards();
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.watching;
    await Promise.all(this.shards.values());
  }

  private async watchShards(): Promise<void> {
    do {
      const shards = await listShards(this.ports.streams, this.settings.sourceArn).catch(() => []);
      const present = new Set(shards.map((shard) => shard.ShardId));
      for (const { ShardId: id, ParentShardId: parent } of shards) {
        if (id === undefined || this.shards.has(id)) continue;
        // Order per key: a child shard waits until its parent was read to the end.
        if (parent !== undefined && present.has(parent) && !this.finished.has(parent)) continue;
        this.shards.set(id, this.pollShard(id));
      }
    } while (await this.pause(this.shards.size === 0 ? IDLE_POLL_MS : LOOK_FOR_SHARDS_MS));
  }

  private async pollShard(shardId: string): Promise<void> {
    // The stream's ARN is part of the key: a table created anew counts from one again.
    const key = `${this.settings.id} ${this.settings.sourceArn} ${shardId}`;
    const { checkpoints, streams } = this.ports;
    const reader = new ShardReader(streams, this.settings.sourceArn, shardId, () => checkpoints.get(key));
    while (!this.stop.signal.aborted) {
      try {
        const records = await reader.read(this.settings.batchSize);
        if (
          !(await this.handle(
            shardId,
            key,
            records.map((r) => this.onOurClock(streamRecord(r, this.settings.sourceArn))),
          ))
        ) {
          return;
        }
        if (reader.exhausted) {
          this.finished.add(shardId);
          return;
        }
        if (records.length > 0) continue;
      } catch {
        // DynamoDB or the queue for failures did not answer; the checkpoint still stands.
        reader.rewind();
      }
      await this.pause(IDLE_POLL_MS);
    }
  }

  /** The engine lives in real time; a test's clock may be ahead of it. */
  private onOurClock(record: StreamRecord): StreamRecord {
    return { ...record, createdAt: record.createdAt + this.ports.clock.now() - Date.now() };
  }

  private async handle(shardId: string, key: string, records: readonly StreamRecord[]): Promise<boolean> {
    const newest = records.at(-1);
    if (!newest) return true;
    const { checkpoints, target, clock } = this.ports;
    const wanted = records.filter((record) => this.settings.accepts(record.event));
    const done = await runStreamBatch(wanted, this.settings, {
      target,
      clock,
      checkpoint: (sequenceNumber) => checkpoints.set(key, sequenceNumber),
      giveUp: (lost) => this.reportLost(shardId, lost),
      stopping: () => this.stop.signal.aborted,
      pause: (ms) => this.pause(ms),
    });
    if (done) checkpoints.set(key, newest.sequenceNumber);
    return done;
  }

  /** Lambda sends where the records lie, not the records. */
  private async reportLost(shardId: string, lost: GivenUp): Promise<void> {
    const queue = this.settings.onFailureArn;
    const [first, newest] = [lost.records[0], lost.records.at(-1)];
    if (queue === undefined || !first || !newest) return;
    const body = {
      requestContext: {
        requestId: lost.requestId,
        functionArn: this.ports.target.definition.arn,
        condition: lost.condition,
        approximateInvokeCount: lost.invocations,
      },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      version: '1.0',
      timestamp: new Date(this.ports.clock.now()).toISOString(),
      DDBStreamBatchInfo: {
        shardId,
        startSequenceNumber: first.sequenceNumber,
        endSequenceNumber: newest.sequenceNumber,
        approximateArrivalOfFirstRecord: new Date(first.createdAt).toISOString(),
        approximateArrivalOfLastRecord: new Date(newest.createdAt).toISOString(),
        batchSize: lost.records.length,
        streamArn: this.settings.sourceArn,
      },
    };
    await this.ports.sendToQueue(queue, JSON.stringify(body));
  }

  private pause(ms: number): Promise<boolean> {
    const { signal } = this.stop;
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const stopped = () => {
        cancel();
        resolve(false);
      };
      const cancel = this.ports.clock.after(ms, () => {
        signal.removeEventListener('abort', stopped);
        resolve(true);
      });
      signal.addEventListener('abort', stopped, { once: true });
    });
  }
}
