import type { Context, Entry } from './command.ts';
import type { Connection } from './connection.ts';
import { OpsError, UsageError } from './errors.ts';
import { commandHelp, groupHelp, rootHelp } from './help.ts';
import { locate, parseCommand, type Place } from './parse.ts';
import { targetOf, type Target } from './shared-options.ts';

/** Everything outside: what the command line is typed into and what it reaches. */
export interface Surroundings {
  /** As the operator types it. */
  readonly program: string;
  out(text: string): void;
  err(text: string): void;
  /** Absent where nobody is there to answer. */
  readonly ask?: (question: string) => Promise<string>;
  connect(target: Target): Promise<Connection>;
  now(): number;
}

export type ExitCode = 0 | 1 | 2;

export async function runOps(
  entries: readonly Entry[],
  args: readonly string[],
  around: Surroundings,
): Promise<ExitCode> {
  const { place, wantsHelp } = locate(entries, args);
  if (wantsHelp && (place.at === 'command' || place.unknown === undefined)) {
    around.out(helpFor(place, entries, around.program));
    return 0;
  }
  try {
    around.out(await outputOf(place, entries, args, around));
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      const path = place.at === 'command' ? place.path : place.at === 'group' ? [place.group.name] : [];
      around.err(`${error.message}\nSee: ${[around.program, ...path, '--help'].join(' ')}`);
      return 2;
    }
    around.err(describeFailure(error));
    return 1;
  }
}

async function outputOf(
  place: Place,
  entries: readonly Entry[],
  args: readonly string[],
  around: Surroundings,
): Promise<string> {
  if (place.at !== 'command') throw noCommand(place, entries);
  const { command } = place;
  const values = parseCommand(place, args);
  const { json, text } = await command.run(contextFor(command.asksFirst ?? false, values, around), values);
  return values['json'] === true ? JSON.stringify(json, null, 2) : text;
}

function contextFor(
  asksFirst: boolean,
  values: Readonly<Record<string, unknown>>,
  around: Surroundings,
): Context {
  const target = targetOf(values);
  const agreed = values['yes'] === true;
  const { ask } = around;
  // Before anything is looked up: the answer would be the same.
  if (asksFirst && !agreed && !ask) {
    throw new UsageError('This asks for confirmation, and there is no terminal to ask on: add --yes.');
  }
  return {
    connect: () => around.connect(target),
    confirm: async (question) => {
      if (agreed) return;
      const answer = await ask?.(`${question} [y/N] `);
      if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new OpsError('Nothing was changed.');
    },
    now: () => around.now(),
  };
}

function helpFor(place: Place, entries: readonly Entry[], program: string): string {
  switch (place.at) {
    case 'root':
      return rootHelp(program, entries);
    case 'group':
      return groupHelp(program, place.group);
    case 'command':
      return commandHelp(program, place.path, place.command);
  }
}

function noCommand(place: Exclude<Place, { at: 'command' }>, entries: readonly Entry[]): UsageError {
  const within = place.at === 'group' ? `${place.group.name} ` : '';
  const names = (place.at === 'group' ? place.group.commands : entries).map(({ name }) => name);
  const wrong =
    place.unknown === undefined ? 'A command is missing' : `There is no command "${within}${place.unknown}"`;
  return new UsageError(`${wrong}: allowed is ${within}${names.join(', ')}.`);
}

/** What AWS refuses is said in its words; anything else that was not foreseen is a bug, shown whole. */
function describeFailure(error: unknown): string {
  if (error instanceof OpsError) return error.message;
  if (error instanceof Error && ('$metadata' in error || error.name === 'CredentialsProviderError')) {
    return `${error.name}: ${error.message}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
