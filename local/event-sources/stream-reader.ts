import {
  DescribeStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  TrimmedDataAccessException,
  type DynamoDBStreamsClient,
  type Shard,
  type _Record,
} from '@aws-sdk/client-dynamodb-streams';

/** Every shard, parents before their children. */
export async function listShards(client: DynamoDBStreamsClient, streamArn: string): Promise<Shard[]> {
  const shards: Shard[] = [];
  let from: string | undefined;
  do {
    const { StreamDescription: page } = await client.send(
      new DescribeStreamCommand({ StreamArn: streamArn, ExclusiveStartShardId: from }),
    );
    shards.push(...(page?.Shards ?? []));
    from = page?.LastEvaluatedShardId;
  } while (from !== undefined);
  return shards;
}

/** Reads one shard from after `checkpoint`, or from its oldest record. */
export class ShardReader {
  private iterator: string | undefined;
  /** Set once everything in a closed shard was read. */
  exhausted = false;

  constructor(
    private readonly client: DynamoDBStreamsClient,
    private readonly streamArn: string,
    private readonly shardId: string,
    private readonly checkpoint: () => string | undefined,
  ) {}

  /** The next read starts at the checkpoint again. */
  rewind(): void {
    this.iterator = undefined;
    this.exhausted = false;
  }

  async read(limit: number): Promise<_Record[]> {
    this.iterator ??= await this.iteratorAtCheckpoint();
    try {
      const { Records = [], NextShardIterator } = await this.client.send(
        new GetRecordsCommand({ ShardIterator: this.iterator, Limit: limit }),
      );
      this.iterator = NextShardIterator;
      this.exhausted = NextShardIterator === undefined;
      return Records;
    } catch (error) {
      // Iterators expire after 15 minutes: the checkpoint gives a new one.
      this.rewind();
      throw error;
    }
  }

  private async iteratorAtCheckpoint(): Promise<string | undefined> {
    const checkpoint = this.checkpoint();
    if (checkpoint !== undefined) {
      try {
        return await this.request({
          ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
          SequenceNumber: checkpoint,
        });
      } catch (error) {
        if (!(error instanceof TrimmedDataAccessException)) throw error;
      }
    }
    return this.request({ ShardIteratorType: 'TRIM_HORIZON' });
  }

  private async request(
    position:
      | { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER'; SequenceNumber: string }
      | { ShardIteratorType: 'TRIM_HORIZON' },
  ): Promise<string | undefined> {
    const { ShardIterator } = await this.client.send(
      new GetShardIteratorCommand({ StreamArn: this.streamArn, ShardId: this.shardId, ...position }),
    );
    return ShardIterator;
  }
}
