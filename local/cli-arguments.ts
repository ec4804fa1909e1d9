import { parseArgs } from 'node:util';
import { StartError } from './start-error.ts';

export interface CliArguments {
  readonly help: boolean;
  readonly port: number;
  readonly dataDir: string;
  readonly readyFile: string | undefined;
  readonly verbose: boolean;
}

export const USAGE = `Runs the whole Email Gateway on this machine: no AWS account, no Docker.

  npm start -- [--port 8787] [--data-dir .data] [--ready-file FILE] [--verbose]

  --port        where the API listens on 127.0.0.1; 0 takes a free port
  --data-dir    keeps tables, queues, mails and logs; delete it to start afresh
  --ready-file  JSON with addresses and keys, written once everything serves
  --verbose     shows what the functions log (it is in DATA-DIR/logs as well)`;

export function parseArguments(args: readonly string[]): CliArguments {
  const values = parsed(args);
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
    throw new StartError(`--port takes a number from 0 to 65535, not "${values.port}".`);
  }
  for (const name of ['data-dir', 'ready-file'] as const) {
    if (values[name] === '') throw new StartError(`--${name} takes a path.`);
  }
  return {
    help: values.help,
    port: Number(values.port),
    dataDir: values['data-dir'],
    readyFile: values['ready-file'],
    verbose: values.verbose,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '8787' },
        'data-dir': { type: 'string', default: '.data' },
        'ready-file': { type: 'string' },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\.\s/);
    throw new StartError(`${sentence?.replace(/\.$/, '')}; --help shows what there is.`);
  }
}
