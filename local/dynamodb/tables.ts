import {
  CreateTableCommand,
  DescribeTableCommand,
  ResourceNotFoundException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  type AttributeDefinition,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  type KeySchemaElement,
  type LocalSecondaryIndex,
  type StreamSpecification,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import type { LocalResource } from '../template/stack.ts';

export interface TableDefinition {
  readonly name: string;
  readonly attributes: AttributeDefinition[];
  readonly key: KeySchemaElement[];
  readonly globalIndexes: GlobalSecondaryIndex[];
  readonly localIndexes: LocalSecondaryIndex[];
  readonly streamView: StreamSpecification['StreamViewType'] | undefined;
  readonly ttlAttribute: string | undefined;
}

/** Reads both shapes that CDK writes: `Table`, and `GlobalTable` for TableV2. */
export function tableDefinition(name: string, resource: LocalResource): TableDefinition {
  const properties = resource.properties() as {
    AttributeDefinitions: AttributeDefinition[];
    KeySchema: KeySchemaElement[];
    GlobalSecondaryIndexes?: GlobalSecondaryIndex[];
    LocalSecondaryIndexes?: LocalSecondaryIndex[];
    StreamSpecification?: { StreamViewType?: StreamSpecification['StreamViewType'] };
    TimeToLiveSpecification?: { AttributeName: string; Enabled: boolean };
  };
  const ttl = properties.TimeToLiveSpecification;
  return {
    name,
    attributes: properties.AttributeDefinitions,
    key: properties.KeySchema,
    globalIndexes: (properties.GlobalSecondaryIndexes ?? []).map(indexWithoutCapacity),
    localIndexes: properties.LocalSecondaryIndexes ?? [],
    streamView: properties.StreamSpecification?.StreamViewType,
    ttlAttribute: ttl?.Enabled ? ttl.AttributeName : undefined,
  };
}

/** Capacity, warm throughput and contributor insights mean nothing on one machine. */
function indexWithoutCapacity(index: GlobalSecondaryIndex): GlobalSecondaryIndex {
  return { IndexName: index.IndexName, KeySchema: index.KeySchema, Projection: index.Projection };
}

/** Creates what is missing of the table and returns its stream's ARN, if it has one. */
export async function ensureTable(
  client: DynamoDBClient,
  definition: TableDefinition,
): Promise<string | undefined> {
  const existing = await describe(client, definition.name);
  if (existing) await addMissingIndexes(client, definition, existing);
  else await create(client, definition);
  if (definition.ttlAttribute !== undefined && !existing) {
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: definition.name,
        TimeToLiveSpecification: { AttributeName: definition.ttlAttribute, Enabled: true },
      }),
    );
  }
  return (await describe(client, definition.name))?.LatestStreamArn;
}

async function create(client: DynamoDBClient, definition: TableDefinition): Promise<void> {
  const { globalIndexes, localIndexes, streamView } = definition;
  await client.send(
    new CreateTableCommand({
      TableName: definition.name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: definition.attributes,
      KeySchema: definition.key,
      ...(globalIndexes.length > 0 && { GlobalSecondaryIndexes: globalIndexes }),
      ...(localIndexes.length > 0 && { LocalSecondaryIndexes: localIndexes }),
      ...(streamView && { StreamSpecification: { StreamEnabled: true, StreamViewType: streamView } }),
    }),
  );
}

/** A data dir may be older than the template: an index added since is built, data is never thrown away. */
async function addMissingIndexes(
  client: DynamoDBClient,
  definition: TableDefinition,
  existing: TableDescription,
): Promise<void> {
  const present = new Set(existing.GlobalSecondaryIndexes?.map((index) => index.IndexName));
  for (const index of definition.globalIndexes) {
    if (present.has(index.IndexName)) continue;
    await client.send(
      new UpdateTableCommand({
        TableName: definition.name,
        AttributeDefinitions: definition.attributes,
        GlobalSecondaryIndexUpdates: [
          {
            Create: { IndexName: index.IndexName, KeySchema: index.KeySchema, Projection: index.Projection },
          },
        ],
      }),
    );
  }
}

async function describe(client: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
