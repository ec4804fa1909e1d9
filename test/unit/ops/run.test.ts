import { describe, expect, it } from 'vitest';
import { command, flag, needed, option, repeated, type Entry } from '../../../ops/command.ts';
import { OpsError } from '../../../ops/errors.ts';
import { runOps } from '../../../ops/run.ts';
import { companyId, oneOf, wholeNumber } from '../../../ops/values.ts';
import { watched } from './surroundings.ts';

const echo = command({
  name: 'echo',
  summary: 'Says what it was told.',
  positionals: { companyId },
  options: {
    colour: needed(oneOf('red', 'blue'), 'which colour'),
    size: option(wholeNumber(1, 3), 'which size'),
    tag: repeated(companyId, 'a tag'),
    loud: flag('shouts'),
  },
  examples: ['things echo x --colour red'],
  run: (_, args) => Promise.resolve({ json: args, text: `${args.companyId} in ${args.colour}` }),
});

const drop = command({
  name: 'drop',
  summary: 'Drops it.',
  notes: 'It is gone then.',
  positionals: {},
  options: {},
  asksFirst: true,
  examples: ['things drop --yes'],
  run: async ({ connect, confirm }) => {
    await connect();
    await confirm('Drop it?');
    return { json: 'dropped', text: 'Dropped.' };
  },
});

const failing = (name: string, error: Error) =>
  command({
    name,
    summary: 'Fails.',
    positionals: {},
    options: {},
    examples: [name],
    run: () => Promise.reject(error),
  });

const entries: readonly Entry[] = [
  { name: 'things', summary: 'Things of all kinds.', commands: [echo, drop] },
  failing('fail', new OpsError('There is no such thing.')),
  failing('refused', Object.assign(new Error('no'), { name: 'AccessDeniedException', $metadata: {} })),
  failing('bug', new TypeError('x is not a function')),
];

async function run(line: string, around = watched()) {
  const code = await runOps(entries, line.split(' ').filter(Boolean), around);
  return { code, out: around.printed.join('\n'), err: around.complained.join('\n'), targets: around.targets };
}

describe('a command', () => {
  it('gets what the line says, each by its name and as its type', async () => {
    const { code, out } = await run('things echo acme --colour red --size 2 --tag a --tag b --loud --json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      companyId: 'acme',
      colour: 'red',
      size: 2,
      tag: ['a', 'b'],
      loud: true,
    });
  });

  it('gets nothing for what the line does not say', async () => {
    const given = JSON.parse((await run('things echo acme --colour red --json')).out);
    expect(given).toMatchObject({ tag: [], loud: false });
    expect(given).not.toHaveProperty('size');
  });

  it('prints text without --json, and nothing on stderr', async () => {
    expect(await run('things echo acme --colour blue')).toMatchObject({
      code: 0,
      out: 'acme in blue',
      err: '',
    });
  });

  it('takes the options of all commands before its name too', async () => {
    const { out } = await run('--json --stack prod things echo acme --colour red');
    expect(JSON.parse(out)).toMatchObject({ companyId: 'acme', stack: 'prod' });
  });
});

describe('wrong usage is exit code 2, on stderr, and says what is allowed', () => {
  it.each([
    ['', 'A command is missing: allowed is things, fail, refused, bug.'],
    ['nothing', 'There is no command "nothing": allowed is things, fail, refused, bug.'],
    ['nothing --help', 'There is no command "nothing"'],
    ['things', 'A command is missing: allowed is things echo, drop.'],
    ['things lose', 'There is no command "things lose": allowed is things echo, drop.'],
    [
      'things echo acme --colour red --shape round',
      "Unknown option '--shape'. The options are --colour, --size,",
    ],
    ['things echo acme --colour green', '--colour "green": allowed is one of red, blue.'],
    ['things echo acme', '--colour is missing: one of red, blue.'],
    ['things echo --colour red', '<companyId> is missing: an id, without spaces.'],
    ['things echo a b --colour red', '"b" is too much: `things echo` takes <companyId>.'],
    ['things echo a --colour red --size 2 --size 3', '--size is given 2 times: allowed is once.'],
    ['things echo a --colour', "Option '--colour <value>' argument missing."],
    ['things echo a --colour red --loud=yes', "Option '--loud' does not take an argument."],
    ['things echo a --colour red --yes', "Unknown option '--yes'."],
    ['things echo a --colour red --stack', "Option '--stack <value>' argument missing."],
  ])('%s', async (line, complaint) => {
    const { code, out, err } = await run(line);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(complaint);
    expect(err).toMatch(/\nSee: ops .*--help$/);
  });

  it('names every fault at once', async () => {
    const { err } = await run('things echo a b --size 9');
    expect(err.split('\n')).toHaveLength(4);
  });
});

describe('a failure is exit code 1', () => {
  it.each([
    ['fail', /^There is no such thing\.$/],
    ['refused', /^AccessDeniedException: no$/],
    ['bug', /^TypeError: x is not a function\n +at /],
  ])('%s', async (line, complaint) => {
    const { code, out, err } = await run(line);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(complaint);
  });
});

describe('what cannot be undone', () => {
  it('is refused where nobody can be asked, before anything is reached', async () => {
    const { code, err, targets } = await run('things drop');
    expect({ code, targets }).toEqual({ code: 2, targets: [] });
    expect(err).toContain('add --yes');
  });

  it('is done with --yes, without a question', async () => {
    expect(await run('things drop --yes', watched({ answer: 'n' }))).toMatchObject({ code: 0, err: '' });
  });

  it.each(['y', 'Y', 'yes', ' yes '])('is done after the answer %j', async (answer) => {
    expect(await run('things drop', watched({ answer }))).toMatchObject({
      code: 0,
      out: 'Dropped.',
      err: 'Drop it? [y/N] ',
    });
  });

  it.each(['', 'n', 'no', 'yeah', 'Drop it'])('is not done after the answer %j', async (answer) => {
    const { code, out, err } = await run('things drop', watched({ answer }));
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('Nothing was changed.');
  });
});

describe('the gateway it is about', () => {
  it.each([
    ['', { kind: 'nearest', dataDir: '.data' }],
    ['--local', { kind: 'local', dataDir: '.data' }],
    ['--local --data-dir /var/eg', { kind: 'local', dataDir: '/var/eg' }],
    ['--data-dir /var/eg', { kind: 'local', dataDir: '/var/eg' }],
    ['--stack prod', { kind: 'stack', name: 'prod', region: undefined, profile: undefined }],
    [
      '--stack prod --region sa-east-1 --profile ops',
      { kind: 'stack', name: 'prod', region: 'sa-east-1', profile: 'ops' },
    ],
  ])('%s', async (options, target) => {
    expect((await run(`things drop --yes ${options}`)).targets).toEqual([target]);
  });

  it.each([
    ['--local --stack prod', '--local and --stack are two gateways'],
    ['--data-dir x --stack prod', '--data-dir and --stack are two gateways'],
    ['--region sa-east-1', '--region is of no use without --stack'],
    ['--local --profile ops', '--profile is of no use without --stack'],
    ['--stack=', '--stack "": allowed is not empty'],
  ])('%s is wrong usage', async (options, complaint) => {
    const { code, err } = await run(`things drop --yes ${options}`);
    expect(code).toBe(2);
    expect(err).toContain(complaint);
  });
});

describe('--help', () => {
  it('of everything lists every command', async () => {
    const { code, out, err } = await run('--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('things echo <companyId> --colour red|blue [options]  Says what it was told.');
    expect(out).toMatch(/^ {2}fail +Fails\.$/m);
    expect(out).toContain('--stack NAME');
  });

  it('of a group lists its commands', async () => {
    const { code, out } = await run('things --help');
    expect(code).toBe(0);
    expect(out).toContain('Things of all kinds.');
    expect(out).toMatch(/^ {2}things drop +Drops it\.$/m);
    expect(out).not.toContain('refused');
  });

  it('of a command shows its options, notes and examples, whatever else is wrong', async () => {
    const { code, out } = await run('things drop extra --nonsense --help');
    expect(code).toBe(0);
    expect(out).toContain('It is gone then.');
    expect(out).toMatch(/^ {2}--yes +does not ask for confirmation$/m);
    expect(out).toMatch(/^ {2}ops things drop --yes$/m);
  });

  it('says which options are needed and which may be repeated', async () => {
    const { out } = await run('things echo --help');
    expect(out).toMatch(/--colour red\|blue +which colour \(needed\)/);
    expect(out).toMatch(/--tag COMPANY-ID +a tag \(may be repeated\)/);
    expect(out).toMatch(/^Arguments\n {2}<companyId> {2}an id/m);
  });
});
