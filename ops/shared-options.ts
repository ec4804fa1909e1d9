import { flag, option, type Command, type Options } from './command.ts';
import { UsageError } from './errors.ts';
import type { Value } from './values.ts';

function named(placeholder: string): Value<string> {
  return { placeholder, allowed: 'not empty', read: (text) => (text === '' ? undefined : text) };
}

/** What every command takes, wherever it stands on the line. */
export const SHARED_OPTIONS = {
  local: flag('a gateway that runs on this machine (npm start)'),
  'data-dir': option(named('DIR'), 'its data dir; .data if not given'),
  stack: option(named('NAME'), 'a deployed gateway, by its CloudFormation stack'),
  region: option(named('REGION'), "the stack's region; your AWS configuration's if not given"),
  profile: option(named('PROFILE'), 'the AWS profile to use'),
  json: flag('prints JSON and nothing else (with npm: `npm run -s ops -- …`)'),
  help: flag('shows this'),
} as const satisfies Options;

export const YES = { yes: flag('does not ask for confirmation') } as const satisfies Options;

export function optionsOf(command: Command): Options {
  return { ...command.options, ...(command.asksFirst && YES), ...SHARED_OPTIONS };
}

/** Which gateway the command is about. */
export type Target =
  | { readonly kind: 'local'; readonly dataDir: string }
  | {
      readonly kind: 'stack';
      readonly name: string;
      readonly region: string | undefined;
      readonly profile: string | undefined;
    }
  /** Nobody said: the one on this machine, if there is one. */
  | { readonly kind: 'nearest'; readonly dataDir: string };

const DEFAULT_DATA_DIR = '.data';

export function targetOf(values: Readonly<Record<string, unknown>>): Target {
  const text = (name: keyof typeof SHARED_OPTIONS) => values[name] as string | undefined;
  const [dataDir, name, region, profile] = [text('data-dir'), text('stack'), text('region'), text('profile')];
  if (name !== undefined) {
    if (values['local'] === true || dataDir !== undefined) {
      const other = values['local'] === true ? '--local' : '--data-dir';
      throw new UsageError(`${other} and --stack are two gateways; allowed is one of them.`);
    }
    return { kind: 'stack', name, region, profile };
  }
  if (region !== undefined || profile !== undefined) {
    const lone = region !== undefined ? '--region' : '--profile';
    throw new UsageError(`${lone} is of no use without --stack NAME.`);
  }
  if (values['local'] === true || dataDir !== undefined) {
    return { kind: 'local', dataDir: dataDir ?? DEFAULT_DATA_DIR };
  }
  return { kind: 'nearest', dataDir: DEFAULT_DATA_DIR };
}
