import {
  DescribeTableCommand,
  DynamoDBClient,
  paginateListTables,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import type { Endpoints } from '../local/lambda/environment.ts';
import { clientConfig } from '../local/template/cloudformation.ts';
import {
  startFaultProxy,
  watchCalls,
  type Call,
  type ServiceAnswer,
} from '../test/integration/fault-proxy.ts';
import {
  readUnits,
  refusedWriteUnits,
  writeUnits,
  type TableShape,
  type WireItem,
  type WriteUnits,
} from './request-units.ts';

/** One call to an AWS service, with what DynamoDB charges for it. */
export interface Entry {
  readonly service: keyof Endpoints;
  /** A room's word, or `poller` for what Lambda itself does on behalf of a function. */
  readonly room: string;
  readonly operation: string;
  /** What a put or a get is about: `EMAIL`, `BODY`, `recipient`, `company`, `key`. */
  readonly item?: string;
  readonly writes?: WriteUnits;
  readonly readUnits?: number;
}

/** What Lambda's pollers do at a queue, which AWS bills like any other request. */
const POLLING = ['ReceiveMessage', 'DeleteMessageBatch'];
const WATCHED = ['sqs', 'ses', 's3', 'secrets'] as const;

/** Writes down every call that functions make, in the order they arrive. */
export class Ledger {
  readonly entries: Entry[] = [];
  private readonly tables = new Map<string, TableShape>();
  /** The newest of each item that went by: the price of a write depends on what it replaces. */
  private readonly items = new Map<string, WireItem>();
  private readonly closers: Array<() => unknown> = [];

  /** For `endpointsForFunctions`: DynamoDB through a proxy that reads along, the others watched. */
  readonly between = async (endpoints: Endpoints): Promise<Endpoints> => {
    await this.learnTables(endpoints.dynamodb);
    const proxy = await startFaultProxy(endpoints.dynamodb, {
      after: (call, answer) => {
        const { room, operation } = call;
        this.entries.push({ service: 'dynamodb', room, operation, ...this.price(call, answer) });
      },
    });
    this.closers.push(() => proxy.close());
    for (const service of WATCHED) {
      this.closers.push(watchCalls(endpoints[service], (call) => this.note(service, call)));
    }
    return { ...endpoints, dynamodb: proxy.url };
  };

  /** What was written down since `mark()`, of the line only: the sweeper comes by its own clock. */
  since(mark: number): Entry[] {
    return this.entries.slice(mark).filter(({ room }) => room !== 'sweeper');
  }

  mark(): number {
    return this.entries.length;
  }

  async close(): Promise<void> {
    for (const closer of this.closers.splice(0)) await closer();
  }

  /** Calls without a room are those of the runner and of whoever looks on, except what stands for Lambda. */
  private note(service: Entry['service'], { room, operation }: Omit<Call, 'body'>): void {
    const polling = room === '' && service === 'sqs' && POLLING.includes(operation);
    if (room === '' && !polling) return;
    this.entries.push({ service, room: polling ? 'poller' : room, operation });
  }

  private async learnTables(endpoint: string): Promise<void> {
    const client = new DynamoDBClient(clientConfig(endpoint));
    for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
      for (const TableName of TableNames) {
        const { Table = {} } = await client.send(new DescribeTableCommand({ TableName }));
        this.tables.set(TableName, shapeOf(TableName, Table));
      }
    }
    client.destroy();
  }

  private price(call: Call, answer: ServiceAnswer): Pick<Entry, 'item' | 'writes' | 'readUnits'> {
    const request = JSON.parse(call.body) as Request;
    const said = JSON.parse(answer.body) as Answer;
    switch (call.operation) {
      case 'PutItem':
        return { ...itemOf(request.Item), writes: this.pricePut(request, said, answer.status) };
      case 'GetItem':
        this.remember(request.TableName, said.Item);
        return {
          ...itemOf(request.Key),
          readUnits: readUnits(said.Item, request.ConsistentRead === true),
        };
      case 'BatchGetItem':
        return { readUnits: this.priceBatchGet(request, said) };
      case 'Query':
        // Only the sweeper queries, and in a benchmark it finds next to nothing.
        return { readUnits: readUnits(undefined, false) };
      default:
        throw new Error(`no price for ${call.operation}`);
    }
  }

  private pricePut({ TableName = '', Item = {} }: Request, said: Answer, status: number): WriteUnits {
    if (status !== 200) {
      const table = refusedWriteUnits(said.Item);
      return { table, indexes: {}, total: table };
    }
    const table = this.shape(TableName);
    const units = writeUnits(table, this.items.get(nameOf(table, Item)), Item);
    this.remember(TableName, Item);
    return units;
  }

  private priceBatchGet({ RequestItems = {} }: Request, { Responses = {} }: Answer): number {
    let units = 0;
    for (const [name, { Keys, ConsistentRead = false }] of Object.entries(RequestItems)) {
      const found = Responses[name] ?? [];
      for (const item of found) {
        this.remember(name, item);
        units += readUnits(item, ConsistentRead);
      }
      units += (Keys.length - found.length) * readUnits(undefined, ConsistentRead);
    }
    return units;
  }

  private remember(tableName = '', item?: WireItem): void {
    if (item) this.items.set(nameOf(this.shape(tableName), item), item);
  }

  private shape(tableName: string): TableShape {
    const table = this.tables.get(tableName);
    if (!table) throw new Error(`no table ${tableName}`);
    return table;
  }
}

interface Request {
  readonly TableName?: string;
  readonly Item?: WireItem;
  readonly Key?: WireItem;
  readonly ConsistentRead?: boolean;
  readonly RequestItems?: Readonly<Record<string, { Keys: unknown[]; ConsistentRead?: boolean }>>;
}

interface Answer {
  readonly Item?: WireItem;
  readonly Responses?: Readonly<Record<string, WireItem[]>>;
}

/** Both tables say it in a key: in `kind`, or in front of `id`. */
function itemOf(keyed: WireItem = {}): Pick<Entry, 'item'> {
  const [item] = (keyed['kind']?.S ?? keyed['id']?.S ?? '').split('#');
  return item ? { item } : {};
}

function nameOf({ name, keys }: TableShape, item: WireItem): string {
  return JSON.stringify([name, ...keys.map((key) => item[key])]);
}

function shapeOf(
  name: string,
  { KeySchema = [], GlobalSecondaryIndexes = [] }: TableDescription,
): TableShape {
  const names = (schema: typeof KeySchema) => schema.map(({ AttributeName = '' }) => AttributeName);
  return {
    name,
    keys: names(KeySchema),
    indexes: GlobalSecondaryIndexes.map(({ IndexName = '', KeySchema: own = [], Projection }) => ({
      name: IndexName,
      keys: names(own),
      projection: Projection?.ProjectionType === 'ALL' ? 'ALL' : 'KEYS_ONLY',
    })),
  };
}
