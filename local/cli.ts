import { resolve } from 'node:path';
import { endWithNpm } from './npm-watch.ts';
import { parseArguments, USAGE, type CliArguments } from './cli-arguments.ts';
import type { ReadyInfo } from './ready-file.ts';
import { StartError } from './start-error.ts';
import type { LocalGateway } from './start.ts';

export async function run(args: readonly string[]): Promise<void> {
  const startedAt = Date.now();
  endWithNpm();
  try {
    const parsed = parseArguments(args);
    if (parsed.help) return console.log(USAGE);
    const gateway = await start(parsed);
    console.log(welcome(gateway.ready, parsed, Date.now() - startedAt));
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    process.exit(1);
  }
}

async function start(args: CliArguments): Promise<LocalGateway> {
  let gateway: LocalGateway | undefined;
  let stopping = false;
  let toldToStop = false;
  const stop = async (exitCode: number) => {
    if (stopping) return;
    stopping = true;
    await gateway?.close();
    process.exit(exitCode);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Ctrl-C comes twice under npm: from the terminal, and passed on by npm.
      if (toldToStop) return;
      toldToStop = true;
      console.log('Stopping.');
      // A stop in the middle of the start waits for it, so that no child is left behind.
      void starting.then(
        () => stop(0),
        () => {},
      );
    });
  }
  const starting = import('./start.ts').then(({ startLocal }) =>
    startLocal({
      port: args.port,
      dataDir: resolve(args.dataDir),
      readyFile: args.readyFile,
      verbose: args.verbose,
      onProgress: (step) => console.log(`${step} …`),
    }),
  );
  gateway = await starting;
  void gateway.services.dynamoDb.ended.then((reason) => {
    if (stopping) return;
    console.error(`DynamoDB ended unexpectedly (${reason}).`);
    void stop(1);
  });
  return gateway;
}

function welcome(
  { apiUrl, apiKeys, endpoints }: ReadyInfo,
  { dataDir }: CliArguments,
  tookMs: number,
): string {
  return `
Email Gateway serves on ${apiUrl} (ready after ${(tookMs / 1000).toFixed(1)} s). Send a mail:

  curl -i ${apiUrl}/v1/email/send \\
    -H 'X-API-Key: ${apiKeys.demo}' \\
    -H 'Content-Type: application/json' \\
    -d '{"to":"you@example.com","subject":"Hello","html":"<p>It works.</p>"}'

Mails arrive in ${endpoints.ses}/_local/inbox; functions log to ${dataDir}/logs. Ctrl-C stops.`;
}
