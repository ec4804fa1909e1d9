import { describe, expect, it } from 'vitest';
import { isGroup } from '../../../ops/command.ts';
import { commands } from '../../../ops/commands.ts';
import { commandHelp, groupHelp } from '../../../ops/help.ts';
import { locate, parseCommand } from '../../../ops/parse.ts';
import { runOps } from '../../../ops/run.ts';
import { watched } from './surroundings.ts';

const all = commands.flatMap((entry) =>
  isGroup(entry)
    ? entry.commands.map((command) => ({ path: [entry.name, command.name], command }))
    : [{ path: [entry.name], command: entry }],
);

/** As a shell would split it; the examples quote with double quotes only. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

describe.each(all.map(({ path, command }) => [path.join(' '), path, command] as const))(
  '%s',
  (name, path, command) => {
    it.each(command.examples.map((example) => [example]))('understands its example: %s', (example) => {
      const { place } = locate(commands, words(example));
      expect(place).toMatchObject({ at: 'command', path });
      expect(() => parseCommand({ at: 'command', path, command }, words(example))).not.toThrow();
    });

    it('has examples, and help that shows them', () => {
      expect(command.examples.length).toBeGreaterThan(0);
      const help = commandHelp('ops', path, command);
      for (const example of command.examples) expect(help).toContain(`  ops ${example}\n`);
      for (const option of Object.keys(command.options)) expect(help).toContain(`  --${option}`);
      expect(help).toContain(`ops ${name}`);
    });
  },
);

it.each(commands.filter(isGroup).map((group) => [group.name, group] as const))(
  'the help of %s has an example of each command',
  (name, group) => {
    for (const command of group.commands) {
      expect(groupHelp('ops', group)).toContain(`  ops ${name} ${command.name}`);
    }
  },
);

describe('contradictions are wrong usage, found before anything is reached', () => {
  it.each([
    ['companies update acme', 'Nothing to change'],
    ['companies update acme --from a@example.com --default-from', 'contradict each other'],
    ['keys create --company acme --expires-in 1d --expires-at 2030-01-01T00:00:00Z', 'twice'],
    ['keys create --company acme --expires-at 2026-03-01T12:00:00Z', 'is in the past'],
    ['keys rotate abc --expires-at 2020-01-01T00:00:00Z', 'is in the past'],
    ['keys rotate abc --overlap 0m', '--overlap "0m": allowed is minutes, hours or days'],
    ['keys revoke abc', 'add --yes'],
    ['companies suspend acme', 'add --yes'],
  ])('%s', async (line, complaint) => {
    const around = watched();
    expect(await runOps(commands, words(line), around)).toBe(2);
    expect(around.complained.join('\n')).toContain(complaint);
    expect(around.targets).toEqual([]);
  });
});
