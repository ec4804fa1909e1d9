import { parseArgs } from 'node:util';

export interface BenchArguments {
  readonly help: boolean;
  readonly json: boolean;
  readonly names: readonly string[];
}

export class ArgumentError extends Error {}

export function parseArguments(args: readonly string[], known: readonly string[]): BenchArguments {
  const { values, positionals } = parsed(args);
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new ArgumentError(`No benchmark ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  }
  const names = positionals.length > 0 ? known.filter((name) => positionals.includes(name)) : known;
  return { help: values.help, json: values.json, names };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        json: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\.\s/);
    throw new ArgumentError(`${sentence?.replace(/\.$/, '')}; --help shows what there is.`);
  }
}
