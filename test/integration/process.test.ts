import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { AcceptedMail } from '../../local/emulators/ses/mail.ts';
import type { ReadyInfo } from '../../local/ready-file.ts';
import { until, type Accepted, type EmailView } from './gateway.ts';
import { descendantsOf, processesWith, untilGone, usePrograms, type Program } from './program.ts';

// Each starts the program several times over, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000 });

const { path, start, startByNpm } = usePrograms();
const URL_OF_A_PORT = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
const URL_OF_A_QUEUE = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/000000000000\/.+\.fifo$/);

function send({ apiUrl, apiKeys }: ReadyInfo): Promise<Response> {
  return fetch(`${apiUrl}/v1/email/send`, {
    method: 'POST',
    headers: { 'x-api-key': apiKeys.demo, 'content-type': 'application/json' },
    body: JSON.stringify({ to: 'ana@example.com', subject: 'Hello', html: '<p>Hello</p>' }),
  });
}

async function inbox(url: string): Promise<AcceptedMail[]> {
  return (await (await fetch(url)).json()) as AcceptedMail[];
}

/** The arguments of the printed curl, as the shell into which it is pasted understands them. */
function pastedCurl(stdout: string): string[] {
  const command = /^ {2}curl [^]*?'$(?!\n {4}-)/m.exec(stdout)?.[0] ?? '';
  const script = `curl() { for argument in "$@"; do printf '%s\\0' "$argument"; done; }\n${command}`;
  return execFileSync('/bin/sh', ['-c', script]).toString().split('\0').slice(0, -1);
}

/** What curl would do with these. */
function requestOf(args: readonly string[]): [url: string, init: RequestInit] {
  const headers = new Headers();
  const rest = [...args];
  let url = '';
  let body: string | undefined;
  for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
    if (next === '-H') {
      const [name = '', value = ''] = (rest.shift() ?? '').split(/: (.*)/);
      headers.set(name, value);
    } else if (next === '-d') body = rest.shift();
    else if (next !== '-i') url = next;
  }
  return [url, { headers, ...(body !== undefined && { method: 'POST', body }) }];
}

async function expectEnded(program: Program, sentence: string): Promise<void> {
  const { code } = await program.exit;
  expect({ code, stderr: program.stderr }).toEqual({ code: 1, stderr: `${sentence}\n` });
}

describe('npm start', () => {
  it('serves, says how to use it, keeps others off its port and data, and stops on SIGTERM', async () => {
    const program = start();
    const ready = await program.ready();
    expect(ready).toEqual({
      apiUrl: URL_OF_A_PORT,
      consoleUrl: null,
      apiKeys: {
        demo: expect.stringMatching(/^eg_live_/),
        other: expect.stringMatching(/^eg_live_/),
        test: expect.stringMatching(/^eg_test_/),
      },
      companies: { demo: expect.any(String), other: expect.any(String) },
      endpoints: {
        dynamodb: URL_OF_A_PORT,
        sqs: URL_OF_A_PORT,
        ses: URL_OF_A_PORT,
        s3: URL_OF_A_PORT,
      },
      resources: {
        emailTable: expect.any(String),
        tenantTable: expect.any(String),
        mailingTable: null,
        expressQueueUrl: URL_OF_A_QUEUE,
        bulkQueueUrl: URL_OF_A_QUEUE,
        deadLetterQueueUrl: URL_OF_A_QUEUE,
      },
    });

    await program.prints('Ctrl-C stops.');
    const response = await fetch(...requestOf(pastedCurl(program.stdout)));
    expect(response.status).toBe(202);
    const { outboxId } = (await response.json()) as Accepted;
    const printed = /http:\S+\/_local\/inbox/.exec(program.stdout)?.[0] ?? '';
    const mails = await until(
      () => inbox(`${printed}?tag.outboxId=${outboxId}`),
      ({ length }) => length > 0,
    );
    expect(mails).toEqual([expect.objectContaining({ to: ['you@example.com'], subject: 'Hello' })]);

    const port = new URL(ready.apiUrl).port;
    const usual = ['--data-dir', path('data'), '--ready-file', path('ready.json')];
    await expectEnded(
      start(['--port', '0', ...usual]),
      `The data dir ${path('data')} is in use by another Email Gateway (process ${program.pid}).`,
    );
    await expectEnded(
      start(['--port', port, '--data-dir', path('other')]),
      `Port ${port} is in use: stop what listens there or choose another with --port.`,
    );
    expect(existsSync(path('other'))).toBe(false);
    // Neither of them harmed the one that serves.
    expect(JSON.parse(readFileSync(path('ready.json'), 'utf8'))).toEqual(ready);
    expect((await send(ready)).status).toBe(202);

    const family = descendantsOf(program.pid);
    expect(family.map(({ command }) => command)).toEqual(
      expect.arrayContaining([expect.stringContaining(path('data')), expect.stringContaining('watchdog')]),
    );
    program.kill('SIGTERM');
    expect(await program.exit).toEqual({ code: 0, signal: null });
    expect(program.stderr).toBe('');
    await untilGone(family);
    expect(processesWith(path('data'))).toEqual([]);
    expect(readdirSync(path(''))).toEqual(['data']);
    expect(readdirSync(path('data'))).not.toContain('lock');
  });

  it('loses nothing by a kill -9, and SIGINT stops it for good', async () => {
    const first = start();
    const before = await first.ready();
    const family = descendantsOf(first.pid);
    const response = await send(before);
    first.kill('SIGKILL');
    expect(response.status).toBe(202);
    const { outboxId } = (await response.json()) as Accepted;
    expect(await first.exit).toEqual({ code: null, signal: 'SIGKILL' });
    await untilGone(family);

    const second = start();
    // The file that the first one left names ports on which nobody serves any more.
    const after = await until(
      () => second.ready(),
      ({ apiUrl }) => apiUrl !== before.apiUrl,
    );
    expect([after.apiKeys, after.companies]).toEqual([before.apiKeys, before.companies]);
    const view = async () => {
      const headers = { 'x-api-key': before.apiKeys.demo };
      return (await (await fetch(`${after.apiUrl}/v1/emails/${outboxId}`, { headers })).json()) as EmailView;
    };
    const mail = await until(view, ({ status }) => status === 'SENT');
    expect(mail.attempts).toBe(1);
    expect(await inbox(`${after.endpoints.ses}/_local/inbox?tag.outboxId=${outboxId}`)).toHaveLength(1);

    const again = descendantsOf(second.pid);
    second.kill('SIGINT');
    second.kill('SIGINT');
    expect(await second.exit).toEqual({ code: 0, signal: null });
    expect(second.stdout.match(/Stopping\./g)).toHaveLength(1);
    await untilGone(again);
    expect(readdirSync(path('data'))).not.toContain('lock');
  });

  it('stops in the middle of its start', async () => {
    const program = start();
    await program.prints('Starting DynamoDB');
    program.kill('SIGTERM');
    expect(await program.exit).toEqual({ code: 0, signal: null });
    expect(processesWith(path('data'))).toEqual([]);
    expect(readdirSync(path(''))).toEqual(['data']);
    expect(readdirSync(path('data'))).not.toContain('lock');
  });

  it('does not go on without its database', async () => {
    const program = start();
    await program.ready();
    const [database] = descendantsOf(program.pid).filter(({ command }) => command.includes(path('data')));
    process.kill(database?.pid ?? 0, 'SIGKILL');
    await expectEnded(program, 'DynamoDB ended unexpectedly (SIGKILL).');
    expect(existsSync(path('ready.json'))).toBe(false);
    expect(readdirSync(path('data'))).not.toContain('lock');
  });

  it('ends with npm, though npm is killed with -9', async () => {
    const npm = startByNpm();
    await npm.ready();
    const family = descendantsOf(npm.pid);
    expect(family.map(({ command }) => command)).toContainEqual(expect.stringContaining('local/main.mjs'));
    npm.kill('SIGKILL');
    await untilGone(family);
    expect(processesWith(path('data'))).toEqual([]);
  });

  it('explains itself', async () => {
    const program = start(['--help']);
    expect(await program.exit).toEqual({ code: 0, signal: null });
    expect(program.stdout).toMatch(/npm start -- \[--port 8787\].*\[--ready-file FILE\]/);
    expect(program.stderr).toBe('');
    expect(readdirSync(path(''))).toEqual([]);
  });
});

describe('a start that cannot be', () => {
  it('is told of an option that there is not, and of a bad port', async () => {
    const [option, port] = [start(['--colour']), start(['--port', '70000'])];
    await expectEnded(option, "Unknown option '--colour'; --help shows what there is.");
    await expectEnded(port, '--port takes a number from 0 to 65535, not "70000".');
    expect(readdirSync(path(''))).toEqual([]);
  });

  it('is told that its data dir or its ready file is impossible', async () => {
    writeFileSync(path('file'), 'kept');
    const data = start(['--port', '0', '--data-dir', path('file/data')]);
    const ready = start(['--port', '0', '--data-dir', path('data'), '--ready-file', path('no/ready.json')]);
    await expectEnded(data, `Cannot write to the data dir ${path('file/data')} (ENOTDIR).`);
    await expectEnded(ready, `Cannot write the ready file ${path('no/ready.json')} (ENOENT).`);
    expect(readdirSync(path(''))).toEqual(['file']);
    expect(readFileSync(path('file'), 'utf8')).toBe('kept');
  });
});
