import { parseArgs } from 'node:util';
import { isGroup, type Command, type Entry, type Group, type Option, type Options } from './command.ts';
import { UsageError } from './errors.ts';
import { optionsOf, SHARED_OPTIONS } from './shared-options.ts';
import type { Value } from './values.ts';

/** Where in the command table the line points to. */
export type Place =
  | { readonly at: 'command'; readonly path: readonly string[]; readonly command: Command }
  | { readonly at: 'group'; readonly group: Group; readonly unknown: string | undefined }
  | { readonly at: 'root'; readonly unknown: string | undefined };

/** The first words choose the command; options that every command takes may stand before them. */
export function locate(
  entries: readonly Entry[],
  args: readonly string[],
): { place: Place; wantsHelp: boolean } {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: parseOptions(SHARED_OPTIONS),
    strict: false,
    allowPositionals: true,
  });
  return { place: find(entries, positionals), wantsHelp: values['help'] === true };
}

function find(entries: readonly Entry[], [first, second]: readonly string[]): Place {
  const entry = entries.find(({ name }) => name === first);
  if (!entry) return { at: 'root', unknown: first };
  if (!isGroup(entry)) return { at: 'command', path: [entry.name], command: entry };
  const command = entry.commands.find(({ name }) => name === second);
  if (!command) return { at: 'group', group: entry, unknown: second };
  return { at: 'command', path: [entry.name, command.name], command };
}

/** Every fault in one error. */
export function parseCommand(
  { path, command }: Extract<Place, { at: 'command' }>,
  args: readonly string[],
): Readonly<Record<string, unknown>> {
  const options = optionsOf(command);
  const { values, positionals } = strictly(options, args);
  const faults: string[] = [];
  const result: Record<string, unknown> = {};

  const read = (label: string, value: Value<unknown>, text: string) => {
    const found = value.read(text);
    if (found === undefined) faults.push(`${label} ${JSON.stringify(text)}: allowed is ${value.allowed}.`);
    return found;
  };

  const given = positionals.slice(path.length);
  const places = Object.entries(command.positionals);
  places.forEach(([name, value], i) => {
    const text = given[i];
    if (text === undefined) faults.push(`<${name}> is missing: ${value.allowed}.`);
    else result[name] = read(`<${name}>`, value, text);
  });
  for (const extra of given.slice(places.length)) {
    const takes = places.map(([name]) => `<${name}>`).join(' ') || 'options only';
    faults.push(`${JSON.stringify(extra)} is too much: \`${path.join(' ')}\` takes ${takes}.`);
  }

  for (const [name, option] of Object.entries(options)) {
    if (option.takes === 'nothing') {
      result[name] = values[name] === true;
      continue;
    }
    const texts = (values[name] ?? []) as string[];
    const found = texts.map((text) => read(`--${name}`, option.value, text));
    if (option.takes === 'many') {
      result[name] = found;
      continue;
    }
    if (texts.length > 1) faults.push(`--${name} is given ${texts.length} times: allowed is once.`);
    if (texts.length === 0 && option.takes === 'needed') {
      faults.push(`--${name} is missing: ${option.value.allowed}.`);
    }
    result[name] = found[0];
  }
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return result;
}

function strictly(options: Options, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: parseOptions(options),
      strict: true,
      allowPositionals: true,
    });
  } catch (error) {
    // Node's further sentences are about its own ways out.
    const [sentence = ''] = (error as Error).message.split(/\.\s|\n/);
    const allowed = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`${sentence.replace(/\.$/, '')}. The options are ${allowed.join(', ')}.`);
  }
}

/** A value that is given twice must be seen twice, to be refused. */
function parseOptions(options: Options) {
  const specOf = ({ takes }: Option) =>
    takes === 'nothing' ? ({ type: 'boolean' } as const) : ({ type: 'string', multiple: true } as const);
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, specOf(option)]));
}
