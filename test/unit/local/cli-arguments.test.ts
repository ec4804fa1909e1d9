import { describe, expect, it } from 'vitest';
import { parseArguments, USAGE } from '../../../local/cli-arguments.ts';
import { StartError } from '../../../local/start-error.ts';

describe('the command line', () => {
  it('may be empty', () => {
    expect(parseArguments([])).toEqual({
      help: false,
      port: 8787,
      dataDir: '.data',
      readyFile: undefined,
      verbose: false,
    });
  });

  it('may say everything', () => {
    const args = ['--port', '0', '--data-dir', '/tmp/d', '--ready-file=/tmp/ready', '--verbose', '-h'];
    expect(parseArguments(args)).toEqual({
      help: true,
      port: 0,
      dataDir: '/tmp/d',
      readyFile: '/tmp/ready',
      verbose: true,
    });
  });

  it.each(['--port', '--data-dir', '--ready-file', '--verbose'])('explains %s', (option) => {
    expect(USAGE).toContain(`  ${option} `);
  });

  it.each([
    [['--port', '65536'], '--port takes a number from 0 to 65535, not "65536".'],
    [['--port', 'http'], '--port takes a number from 0 to 65535, not "http".'],
    [['--port='], '--port takes a number from 0 to 65535, not "".'],
    [['--port=-1'], '--port takes a number from 0 to 65535, not "-1".'],
    [['--port', '1e3'], '--port takes a number from 0 to 65535, not "1e3".'],
    [['--data-dir='], '--data-dir takes a path.'],
    [['--ready-file='], '--ready-file takes a path.'],
    [['--colour'], "Unknown option '--colour'; --help shows what there is."],
    [['serve'], "Unexpected argument 'serve'; --help shows what there is."],
    [['--data-dir'], "Option '--data-dir <value>' argument missing; --help shows what there is."],
    [['--port', '-1'], "Option '--port' argument is ambiguous; --help shows what there is."],
    [['--port', '--verbose'], "Option '--port' argument is ambiguous; --help shows what there is."],
  ])('%j is refused in one sentence', (args, sentence) => {
    expect(() => parseArguments(args)).toThrow(new StartError(sentence));
  });
});
