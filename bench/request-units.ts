import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** As it travels on the wire, where binary values are base64 text. */
export type WireItem = Readonly<Record<string, AttributeValue>>;

export interface IndexShape {
  readonly name: string;
  readonly keys: readonly string[];
  readonly projection: 'ALL' | 'KEYS_ONLY';
}

export interface TableShape {
  readonly name: string;
  readonly keys: readonly string[];
  readonly indexes: readonly IndexShape[];
}

/** Write units of one put: the table's own, and those of each index that it touches. */
export interface WriteUnits {
  readonly table: number;
  readonly indexes: Readonly<Record<string, number>>;
  readonly total: number;
}

const WRITE_UNIT_BYTES = 1024;
const READ_UNIT_BYTES = 4096;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
export function itemSize(item: WireItem): number {
  return Object.entries(item).reduce(
    (total, [name, value]) => total + Buffer.byteLength(name) + valueSize(value),
    0,
  );
}

function valueSize(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberSize(value.N);
  if (value.B !== undefined) return Buffer.from(String(value.B), 'base64').length;
  if (value.BOOL !== undefined || value.NULL !== undefined) return 1;
  if (value.L !== undefined) return value.L.reduce((total, each) => total + 1 + valueSize(each), 3);
  if (value.M !== undefined) {
    return Object.entries(value.M).reduce(
      (total, [name, each]) => total + 1 + Buffer.byteLength(name) + valueSize(each),
      3,
    );
  }
  throw new Error(`no rule for the size of ${JSON.stringify(value)}`);
}

/** One byte for two significant digits, and one more; zeros at either end are free. */
function numberSize(written: string): number {
  const digits = written.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return Math.ceil(digits.length / 2) + 1 + (written.startsWith('-') ? 1 : 0);
}

/** Something that was not there costs as much as the smallest item. */
export function readUnits(item: WireItem | undefined, consistent: boolean): number {
  const units = Math.max(1, Math.ceil((item ? itemSize(item) : 0) / READ_UNIT_BYTES));
  return consistent ? units : units / 2;
}

/** An item that is replaced costs by the larger of the two. */
export function writeUnits(
  { keys, indexes }: TableShape,
  before: WireItem | undefined,
  after: WireItem,
): WriteUnits {
  const table = unitsOf(Math.max(itemSize(after), before ? itemSize(before) : 0));
  const ofIndexes = indexes.map((index): [string, number] => [
    index.name,
    indexUnits(index, entryIn(index, keys, before), entryIn(index, keys, after)),
  ]);
  return {
    table,
    indexes: Object.fromEntries(ofIndexes),
    total: ofIndexes.reduce((total, [, units]) => total + units, table),
  };
}

/** A put whose condition fails costs as much as writing what is there. */
export function refusedWriteUnits(existing: WireItem | undefined): number {
  return unitsOf(existing ? itemSize(existing) : 0);
}

function unitsOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));
}

/** Undefined where an index key is missing: such an item is not in the index. */
function entryIn(
  index: IndexShape,
  tableKeys: readonly string[],
  item: WireItem | undefined,
): WireItem | undefined {
  if (!item || index.keys.some((key) => item[key] === undefined)) return undefined;
  if (index.projection === 'ALL') return item;
  const names = new Set([...tableKeys, ...index.keys]);
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)));
}

/** An entry whose key changes is deleted and written anew: two writes. */
function indexUnits(index: IndexShape, before: WireItem | undefined, after: WireItem | undefined): number {
  const old = before ? unitsOf(itemSize(before)) : 0;
  const fresh = after ? unitsOf(itemSize(after)) : 0;
  if (!before || !after) return old + fresh;
  const moved = index.keys.some((key) => !same(before[key], after[key]));
  if (moved) return old + fresh;
  return same(before, after) ? 0 : Math.max(old, fresh);
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
