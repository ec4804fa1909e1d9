import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  ScanCommand,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../clock.ts';
import type { TableDefinition } from './tables.ts';

const SWEEP_EVERY_MS = 60_000;
/** As AWS: an item whose TTL lies further back than this is taken for a mistake and stays. */
const FIVE_YEARS_S = 5 * 365 * 24 * 3600;
const PAGES_A_SWEEP = 100;

/** Deletes what has outlived its TTL attribute, which neither DynamoDB engine does by itself. */
export function startTtlSweeper(
  client: DynamoDBClient,
  tables: readonly TableDefinition[],
  clock: Clock,
): () => void {
  const positions = new Map<string, Record<string, AttributeValue> | undefined>();
  let cancel = () => {};
  let stopped = false;

  const sweep = async () => {
    for (const table of tables) {
      if (table.ttlAttribute === undefined || stopped) continue;
      positions.set(table.name, await deleteExpired(client, table, clock.now(), positions.get(table.name)));
    }
  };
  const schedule = () => {
    cancel = clock.after(SWEEP_EVERY_MS, () => {
      // A sweep that fails is made up for by the next one.
      void sweep()
        .catch(() => {})
        .finally(() => {
          if (!stopped) schedule();
        });
    });
  };
  schedule();
  return () => {
    stopped = true;
    cancel();
  };
}

/** One bounded pass; returns where the next one goes on, undefined from the start. */
export async function deleteExpired(
  client: DynamoDBClient,
  table: TableDefinition,
  now: number,
  from?: Record<string, AttributeValue>,
): Promise<Record<string, AttributeValue> | undefined> {
  if (table.ttlAttribute === undefined) return undefined;
  const seconds = Math.floor(now / 1000);
  const expired = {
    ExpressionAttributeNames: { '#ttl': table.ttlAttribute },
    ExpressionAttributeValues: { ':now': { N: `${seconds}` }, ':oldest': { N: `${seconds - FIVE_YEARS_S}` } },
  };
  let position = from;
  for (let page = 0; page < PAGES_A_SWEEP; page += 1) {
    const found = await client.send(
      new ScanCommand({
        TableName: table.name,
        ExclusiveStartKey: position,
        FilterExpression: '#ttl < :now AND #ttl > :oldest',
        ...expired,
      }),
    );
    for (const item of found.Items ?? []) {
      await deleteStillExpired(client, table, item, expired);
    }
    position = found.LastEvaluatedKey;
    if (!position) return undefined;
  }
  return position;
}

/** Conditional, because the item may have been given a new life since the scan. */
async function deleteStillExpired(
  client: DynamoDBClient,
  table: TableDefinition,
  item: Record<string, AttributeValue>,
  expired: {
    ExpressionAttributeNames: Record<string, string>;
    ExpressionAttributeValues: Record<string, AttributeValue>;
  },
): Promise<void> {
  const names = table.key.map((element) => element.AttributeName ?? '');
  try {
    await client.send(
      new DeleteItemCommand({
        TableName: table.name,
        Key: Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name))),
        ConditionExpression: '#ttl < :now AND #ttl > :oldest',
        ...expired,
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
