import { createHash } from 'node:crypto';
import { invalidParameter, invalidValue } from './errors.ts';
import type { MessageAttribute, MessageAttributes } from './message.ts';

const MOST_ATTRIBUTES = 10;
const NAME = /^(?!\.)(?!.*\.\.)(?!.*\.$)(?!(?:aws|amazon)\.)[A-Za-z0-9_.-]{1,256}$/i;
const DATA_TYPE = /^(String|Number|Binary)(\.\S+)?$/;
const STRING = 1;
const BINARY = 2;

export function checkMessageAttributes(attributes: MessageAttributes): void {
  const names = Object.keys(attributes);
  if (names.length > MOST_ATTRIBUTES) {
    throw invalidParameter(
      `Number of message attributes [${names.length}] exceeds the allowed maximum [${MOST_ATTRIBUTES}].`,
    );
  }
  for (const [name, attribute] of Object.entries(attributes)) checkAttribute(name, attribute);
}

function checkAttribute(name: string, { DataType, StringValue, BinaryValue }: MessageAttribute): void {
  if (!NAME.test(name))
    throw invalidValue('MessageAttributeName', name, 'The message attribute name is invalid.');
  const type = DATA_TYPE.exec(DataType ?? '')?.[1];
  if (!type || DataType.length > 256) {
    throw invalidParameter(`The type of message attribute '${name}' is invalid.`);
  }
  const value = type === 'Binary' ? BinaryValue : StringValue;
  if (!value)
    throw invalidParameter(`The message attribute '${name}' must contain a non-empty value of its type.`);
  if (type === 'Number' && !Number.isFinite(Number(value))) {
    throw invalidParameter(`Can't cast the value of message attribute '${name}' to a number.`);
  }
}

/** Names, types and values count towards the size of a message. */
export function sizeOfAttributes(attributes: MessageAttributes): number {
  let size = 0;
  for (const [name, attribute] of Object.entries(attributes)) {
    size += Buffer.byteLength(name) + Buffer.byteLength(attribute.DataType ?? '') + valueOf(attribute).length;
  }
  return size;
}

/** The digest clients check: name, type and value of each attribute in the order of names, each with its length. */
export function md5OfAttributes(attributes: MessageAttributes): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash('md5');
  const add = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const name of names) {
    const attribute = attributes[name]!;
    add(Buffer.from(name));
    add(Buffer.from(attribute.DataType));
    hash.update(Buffer.of(attribute.BinaryValue === undefined ? STRING : BINARY));
    add(valueOf(attribute));
  }
  return hash.digest('hex');
}

/** Those a receiver asked for: by name, by the beginning of a name (`trace.*`), or all. */
export function selectAttributes(attributes: MessageAttributes, wanted: string[]): MessageAttributes {
  const isWanted = (name: string) =>
    wanted.some((pattern) => {
      if (pattern === 'All' || pattern === '.*' || pattern === name) return true;
      return pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1));
    });
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => isWanted(name)));
}

function valueOf(attribute: MessageAttribute): Buffer {
  return attribute.BinaryValue === undefined
    ? Buffer.from(attribute.StringValue ?? '')
    : Buffer.from(attribute.BinaryValue, 'base64');
}
