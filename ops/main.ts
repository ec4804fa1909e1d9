import { createInterface } from 'node:readline/promises';
import { commands } from './commands.ts';
import { runOps } from './run.ts';

// What the AWS SDK has to say about Node is not news to the operator.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';

/** On stderr: stdout is for what was asked for. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // Ctrl-C and Ctrl-D are an answer too.
    return await terminal.question(question).catch(() => '');
  } finally {
    terminal.close();
  }
}

// Not process.exit: what is still on its way into a pipe would be lost.
process.exitCode = await runOps(commands, process.argv.slice(2), {
  program: process.env['npm_lifecycle_event'] === 'ops' ? 'npm run ops --' : 'email-gateway',
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask }),
  // Loaded only when it is needed: the AWS SDK takes longer than everything else.
  connect: async (target) => (await import('./connection.ts')).connect(target),
  now: () => Date.now(),
});
