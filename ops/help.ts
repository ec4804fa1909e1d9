import { isGroup, type Command, type Entry, type Group, type Option, type Options } from './command.ts';
import { columns } from './render.ts';
import { optionsOf, SHARED_OPTIONS } from './shared-options.ts';

export function rootHelp(program: string, entries: readonly Entry[]): string {
  const commands = entries.flatMap((entry) =>
    isGroup(entry)
      ? entry.commands.map((command) => [`${entry.name} ${usageOf(command)}`, command.summary])
      : [[usageOf(entry), entry.summary]],
  );
  const examples = entries.flatMap((entry) => (isGroup(entry) ? entry.commands : [entry]).slice(0, 1));
  return sections([
    ['', ['Looks after an Email Gateway, deployed or on this machine.']],
    ['Usage', [`${program} <command> [options]`, `${program} <command> --help`]],
    ['Commands', columns(commands)],
    ['For every command', optionLines(SHARED_OPTIONS)],
    ['Examples', examples.flatMap((command) => command.examples.slice(0, 1)).map(after(program))],
    ['Exit codes', ['0 done, 1 failed, 2 wrong usage']],
  ]);
}

export function groupHelp(program: string, group: Group): string {
  const commands = group.commands.map((command) => [`${group.name} ${usageOf(command)}`, command.summary]);
  const examples = group.commands.flatMap((command) => command.examples.slice(0, 1));
  return sections([
    ['', [group.summary]],
    ['Usage', [`${program} ${group.name} <command> [options]`]],
    ['Commands', columns(commands)],
    ['Examples', examples.map(after(program))],
  ]);
}

export function commandHelp(program: string, path: readonly string[], command: Command): string {
  const own = Object.fromEntries(
    Object.entries(optionsOf(command)).filter(([name]) => !(name in SHARED_OPTIONS)),
  );
  const positionals = Object.entries(command.positionals);
  return sections([
    ['', [command.summary, ...(command.notes === undefined ? [] : [command.notes])]],
    ['Usage', [`${program} ${[...path.slice(0, -1), usageOf(command)].join(' ')}`]],
    ['Arguments', columns(positionals.map(([name, value]) => [`<${name}>`, value.allowed]))],
    ['Options', optionLines(own)],
    ['For every command', optionLines(SHARED_OPTIONS)],
    ['Examples', command.examples.map(after(program))],
    ['Exit codes', ['0 done, 1 failed, 2 wrong usage']],
  ]);
}

const after = (program: string) => (example: string) => `${program} ${example}`;

function usageOf(command: Command): string {
  const needed = Object.entries(command.options).flatMap(([name, option]) =>
    option.takes === 'needed' ? [`--${name} ${option.value.placeholder}`] : [],
  );
  const hasMore = Object.keys(command.options).length > needed.length;
  const places = Object.keys(command.positionals).map((name) => `<${name}>`);
  return [command.name, ...places, ...needed, ...(hasMore ? ['[options]'] : [])].join(' ');
}

function optionLines(options: Options): string[] {
  return columns(
    Object.entries(options).map(([name, option]) => [
      option.takes === 'nothing' ? `--${name}` : `--${name} ${option.value.placeholder}`,
      aboutOf(option),
    ]),
  );
}

function aboutOf(option: Option): string {
  switch (option.takes) {
    case 'nothing':
    case 'one':
      return option.about;
    case 'needed':
      return `${option.about} (needed)`;
    case 'many':
      return `${option.about} (may be repeated)`;
  }
}

/** The first has no heading; those without lines are left out. */
function sections(parts: ReadonlyArray<readonly [heading: string, lines: readonly string[]]>): string {
  return parts
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) =>
      heading === '' ? lines.join('\n') : [heading, ...lines.map((line) => `  ${line}`)].join('\n'),
    )
    .join('\n\n');
}
