import type { Connection } from './connection.ts';
import type { Value } from './values.ts';

interface Described {
  readonly about: string;
}
export interface Flag extends Described {
  readonly takes: 'nothing';
}
export interface One<T> extends Described {
  readonly takes: 'one';
  readonly value: Value<T>;
}
export interface Needed<T> extends Described {
  readonly takes: 'needed';
  readonly value: Value<T>;
}
export interface Many<T> extends Described {
  readonly takes: 'many';
  readonly value: Value<T>;
}
export type Option = Flag | One<unknown> | Needed<unknown> | Many<unknown>;

export const flag = (about: string): Flag => ({ takes: 'nothing', about });
export const option = <T>(value: Value<T>, about: string): One<T> => ({ takes: 'one', value, about });
export const needed = <T>(value: Value<T>, about: string): Needed<T> => ({ takes: 'needed', value, about });
export const repeated = <T>(value: Value<T>, about: string): Many<T> => ({ takes: 'many', value, about });

export type Options = Readonly<Record<string, Option>>;
export type Positionals = Readonly<Record<string, Value<unknown>>>;

type Given<O> = O extends Flag
  ? boolean
  : O extends Many<infer T>
    ? readonly T[]
    : O extends Needed<infer T>
      ? T
      : O extends One<infer T>
        ? T | undefined
        : never;

/** What the command line said, by name: `<companyId>` as `companyId`, `--bulk-lanes` as `bulk-lanes`. */
export type Arguments<P extends Positionals, O extends Options> = {
  readonly [K in keyof P]: P[K] extends Value<infer T> ? T : never;
} & { readonly [K in keyof O]: Given<O[K]> };

export interface Context {
  connect(): Promise<Connection>;
  /** Returns only if the operator agrees, or agreed beforehand with `--yes`. */
  confirm(question: string): Promise<void>;
  now(): number;
}

/** What a command has to say: `json` with `--json`, otherwise `text`. */
export interface Output {
  readonly json: unknown;
  readonly text: string;
}

interface Definition<P extends Positionals, O extends Options, A> {
  readonly name: string;
  readonly summary: string;
  /** What an operator should know before running it. */
  readonly notes?: string;
  readonly positionals: P;
  readonly options: O;
  /** Asks before it acts, and so has `--yes`. */
  readonly asksFirst?: boolean;
  /** Each as typed after the program's name. */
  readonly examples: readonly string[];
  run(context: Context, args: A): Promise<Output>;
}

export type Command = Definition<Positionals, Options, Readonly<Record<string, unknown>>>;

export interface Group {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly Command[];
}

/** One line of the command table. */
export type Entry = Group | Command;

/** Ties the arguments of `run` to the positionals and options declared beside it. */
export function command<const P extends Positionals, const O extends Options>(
  definition: Definition<P, O, Arguments<P, O>>,
): Command {
  return definition as unknown as Command;
}

export function isGroup(entry: Entry): entry is Group {
  return 'commands' in entry;
}
