import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand, ScanCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, type _Record } from '@aws-sdk/client-dynamodb-streams';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../local/clock.ts';
import { startDynamoDb, type DynamoDb } from '../../../local/dynamodb/engine.ts';
import { ensureTable, type TableDefinition } from '../../../local/dynamodb/tables.ts';
import { deleteExpired, startTtlSweeper } from '../../../local/dynamodb/ttl-sweeper.ts';
import { listShards, ShardReader } from '../../../local/event-sources/stream-reader.ts';
import { clientConfig } from '../../../local/template/cloudformation.ts';
import { DAY, MINUTE, NOW } from '../../factories/moments.ts';

const SECONDS_NOW = NOW / 1000;
let folder: string;
let engine: DynamoDb;
let client: DynamoDBClient;
let streams: DynamoDBStreamsClient;
let table: TableDefinition;
let streamArn: string;
let tables = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'email-gateway-ttl-'));
  engine = await startDynamoDb({ dataDir: folder });
  client = new DynamoDBClient(clientConfig(engine.url));
  streams = new DynamoDBStreamsClient(clientConfig(engine.url));
});
afterAll(async () => {
  client.destroy();
  streams.destroy();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  tables += 1;
  table = {
    name: `ttl-conformance-${tables}`,
    attributes: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    key: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    globalIndexes: [],
    localIndexes: [],
    streamView: 'NEW_AND_OLD_IMAGES',
    ttlAttribute: 'expiresAt',
  };
  streamArn = (await ensureTable(client, table)) ?? '';
});

async function put(name: string, expiresAt?: AttributeValue): Promise<void> {
  const Item = { pk: { S: name }, sk: { S: 'item' }, ...(expiresAt && { expiresAt }) };
  await client.send(new PutItemCommand({ TableName: table.name, Item }));
}

const at = (seconds: number) => ({ N: String(seconds) });

async function names(): Promise<string[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: table.name }));
  return Items.map((item) => item['pk']?.S ?? '').sort();
}

async function records(): Promise<_Record[]> {
  const found: _Record[] = [];
  for (const { ShardId = '' } of await listShards(streams, streamArn)) {
    const reader = new ShardReader(streams, streamArn, ShardId, () => undefined);
    for (let page = await reader.read(100); page.length > 0; page = await reader.read(100))
      found.push(...page);
  }
  return found;
}

describe('an item', () => {
  it('goes once its time is over; the others stay', async () => {
    await put('expired', at(SECONDS_NOW - 1));
    await put('expired long ago', at(SECONDS_NOW - 365 * 24 * 3600));
    await put('this very second', at(SECONDS_NOW));
    await put('later', at(SECONDS_NOW + 1));
    await put('without');
    await put('as text', { S: String(SECONDS_NOW - 1) });
    await put('absurdly old', at(1));
    expect(await deleteExpired(client, table, NOW)).toBeUndefined();
    expect(await names()).toEqual(['absurdly old', 'as text', 'later', 'this very second', 'without']);
  });

  it('leaves a REMOVE with its old image in the stream', async () => {
    await put('expired', at(SECONDS_NOW - 1));
    await put('later', at(SECONDS_NOW + 1));
    await deleteExpired(client, table, NOW);
    const removals = (await records()).filter(({ eventName }) => eventName === 'REMOVE');
    expect(removals.map(({ dynamodb }) => [dynamodb?.Keys, dynamodb?.OldImage])).toEqual([
      [
        { pk: { S: 'expired' }, sk: { S: 'item' } },
        { pk: { S: 'expired' }, sk: { S: 'item' }, expiresAt: at(SECONDS_NOW - 1) },
      ],
    ]);
  });

  it('of a table without TTL stays', async () => {
    await put('expired', at(SECONDS_NOW - 1));
    await deleteExpired(client, { ...table, ttlAttribute: undefined }, NOW);
    expect(await names()).toEqual(['expired']);
  });
});

describe('the sweeper', () => {
  let stop = () => {};
  afterEach(() => stop());

  it('comes by every minute, until it is stopped', async () => {
    const clock = new ManualClock(NOW);
    stop = startTtlSweeper(client, [table], clock);
    await put('soon', at(SECONDS_NOW + 30));
    await put('tomorrow', at(SECONDS_NOW + DAY / 1000));
    clock.advance(MINUTE);
    await expect.poll(names, { timeout: 10_000 }).toEqual(['tomorrow']);
    // The next visit is arranged only after this one, so time passes in steps.
    const removedAfterTwoDays = async () => {
      clock.advance(2 * DAY);
      return names();
    };
    await expect.poll(removedAfterTwoDays, { timeout: 10_000 }).toEqual([]);
    stop();
    await put('never removed', at(SECONDS_NOW));
    clock.advance(DAY);
    expect(await names()).toEqual(['never removed']);
  });
});
