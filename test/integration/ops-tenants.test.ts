import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConnectionInfo } from '../../local/ready-file.ts';
import { dynamoTenantStore } from '../../shared/adapters/dynamo-tenant-store.ts';
import type { Problem } from '../../shared/domain/api-errors.ts';
import { TestGateway, until } from './gateway.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = join(ROOT, 'ops/email-gateway.mjs');
/** The authorizer and the sender remember what they read for a minute. */
const REMEMBERED_MS = 61_000;
const MAIL = { to: 'ana@example.com', subject: 'Hello', html: '<p>Hello</p>' };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface KeyView {
  readonly key: string;
  readonly keyId: string;
  readonly state: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

let home = '';
let gateway: TestGateway;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'email-gateway-ops-'));
  gateway = await TestGateway.start({ dataDir: join(home, '.data') });
});
afterAll(async () => {
  await gateway.close();
  rmSync(home, { recursive: true, force: true });
});

function execute(program: string, args: readonly string[], cwd: string): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { cwd }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** The command as installed, in the directory where `.data` is, so that it finds the gateway by itself. */
function ops(...args: string[]): Promise<Ran> {
  return execute(process.execPath, [PROGRAM, ...args], home);
}

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await ops(...args, '--json');
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as T;
}

async function aCompany(name: string, ...more: string[]): Promise<string> {
  return (await json<{ companyId: string }>('companies', 'create', '--name', name, ...more)).companyId;
}

function aKey(company: string, ...more: string[]): Promise<KeyView> {
  return json<KeyView>('keys', 'create', '--company', company, ...more);
}

async function statusWith(key: string): Promise<number> {
  return (await gateway.post(MAIL, {}, key)).status;
}

describe('a new company', () => {
  it('sends its first mail with its first key', async () => {
    const company = await aCompany(
      'Padaria Exemplo',
      '--from',
      'no-reply@padaria.example',
      '--bulk-lanes',
      '2',
    );
    expect(company).toMatch(UUID);
    const { key } = await aKey(company);
    const outboxId = await gateway.accept({}, {}, key);
    await until(
      () => gateway.view(outboxId, key),
      ({ status }) => status === 'SENT',
    );
    const [mail] = await gateway.inboxOf(outboxId);
    expect(mail).toMatchObject({ from: 'no-reply@padaria.example', tags: { companyId: company } });
  });

  it('is shown and listed, after those that were there', async () => {
    const company = await aCompany('Livraria', '--bulk-lanes', '8');
    const view = { companyId: company, name: 'Livraria', from: null, bulkLanes: 8, suspended: false };
    expect(await json('companies', 'show', company)).toEqual(view);
    const all = await json<object[]>('companies', 'list');
    expect(all).toContainEqual(view);
    expect(all).toContainEqual(expect.objectContaining({ companyId: gateway.local.ready.companies.demo }));
    const { stdout } = await ops('companies', 'list');
    expect(stdout).toMatch(/^COMPANY +NAME +FROM +BULK LANES +SUSPENDED\n/);
    expect(stdout).toMatch(new RegExp(`^${company} +Livraria +– +8 +no$`, 'm'));
  });

  it('may bring its id, once', async () => {
    const id = '3f0c1d2e-9a4b-4c5d-8e6f-7a8b9c0d1e2f';
    expect(await aCompany('First', '--id', id)).toBe(id);
    const { code, stderr } = await ops('companies', 'create', '--name', 'Second', '--id', id);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `There is a company ${id} already; nothing was changed.\n`,
    });
    expect(await json('companies', 'show', id)).toMatchObject({ name: 'First' });
  });

  it('is changed in what is given, and in nothing else', async () => {
    const company = await aCompany('Old', '--from', 'old@example.com');
    expect(await json('companies', 'update', company, '--name', 'New', '--bulk-lanes', '1')).toEqual({
      companyId: company,
      name: 'New',
      from: 'old@example.com',
      bulkLanes: 1,
      suspended: false,
    });
    await ops('companies', 'update', company, '--default-from');
    expect(await json('companies', 'show', company)).toMatchObject({ name: 'New', from: null, bulkLanes: 1 });
  });
});

describe('a suspended company', () => {
  it('gets 403 until it is resumed', async () => {
    const company = await aCompany('Suspended');
    const { key } = await aKey(company);
    expect(await statusWith(key)).toBe(202);

    expect(await json('companies', 'suspend', company, '--yes')).toMatchObject({ suspended: true });
    gateway.clock.jump(REMEMBERED_MS);
    const refused = await gateway.post<Problem>(MAIL, {}, key);
    expect(refused).toMatchObject({ status: 403, body: { code: 'COMPANY_SUSPENDED' } });

    expect((await ops('companies', 'suspend', company, '--yes')).stdout).toContain('is suspended already');
    expect((await ops('companies', 'resume', company)).stdout).toContain('within 60 seconds');
    gateway.clock.jump(REMEMBERED_MS);
    expect(await statusWith(key)).toBe(202);
  });

  it('was not suspended without --yes and nobody to ask', async () => {
    const company = await aCompany('Unasked');
    const { code, stderr } = await ops('companies', 'suspend', company);
    expect(code).toBe(2);
    expect(stderr).toContain('add --yes');
    expect(await json('companies', 'show', company)).toMatchObject({ suspended: false });
  });
});

describe('a key', () => {
  it('is shown once, and its hash never', async () => {
    const company = await aCompany('Keys');
    const created = await ops(
      'keys',
      'create',
      '--company',
      company,
      '--mode',
      'test',
      '--expires-in',
      '90d',
    );
    const [key = ''] = /eg_test_[a-z0-9]{12}_[a-z0-9]{40}/.exec(created.stdout) ?? [];
    expect(await statusWith(key)).toBe(202);

    const listed = await ops('keys', 'list', '--company', company, '--json');
    const [view] = JSON.parse(listed.stdout) as KeyView[];
    expect(view).toEqual({
      keyId: key.split('_')[2],
      companyId: company,
      mode: 'test',
      state: 'active',
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      revokedAt: null,
      allowedIps: null,
    });
    const table = await ops('keys', 'list', '--company', company);
    expect(table.stdout).toContain(view?.keyId);
    for (const { stdout } of [listed, table]) expect(stdout).not.toContain(key.split('_')[3]);
  });

  it('works only from the addresses it was given', async () => {
    const company = await aCompany('Addresses');
    const here = await aKey(company, '--allow-ip', '10.9.8.7', '--allow-ip', '127.0.0.1');
    const elsewhere = await aKey(company, '--allow-ip', '10.9.8.7');
    expect(await statusWith(here.key)).toBe(202);
    expect(await statusWith(elsewhere.key)).toBe(403);
  });

  it('is rotated: both work, until the overlap is over', async () => {
    const company = await aCompany('Rotated');
    const old = await aKey(company, '--allow-ip', '127.0.0.1');
    const fresh = await json<KeyView & { replaces: KeyView }>(
      'keys',
      'rotate',
      old.keyId,
      '--overlap',
      '24h',
    );
    expect(fresh).toMatchObject({
      companyId: company,
      mode: 'live',
      allowedIps: ['127.0.0.1'],
      expiresAt: null,
    });
    expect(fresh.replaces).toMatchObject({ keyId: old.keyId, expiresAt: expect.any(String) });
    expect(await statusWith(old.key)).toBe(202);
    expect(await statusWith(fresh.key)).toBe(202);

    gateway.clock.jump(24 * 3_600_000 + REMEMBERED_MS);
    const refused = await gateway.post<Problem>(MAIL, {}, old.key);
    expect(refused.status).toBe(401);
    expect(await statusWith(fresh.key)).toBe(202);
  });

  it('is revoked, and cannot be rotated then', async () => {
    const { key, keyId } = await aKey(await aCompany('Revoked'));
    expect(await statusWith(key)).toBe(202);
    // Whoever finds a leaked key has the whole of it.
    const { code, stdout } = await ops('keys', 'revoke', key, '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain(`Revoked the key ${keyId}`);
    expect(stdout).toContain('within 60 seconds');
    gateway.clock.jump(REMEMBERED_MS);
    expect(await statusWith(key)).toBe(401);

    expect((await ops('keys', 'revoke', keyId, '--yes')).stdout).toContain('was revoked already');
    const again = await ops('keys', 'rotate', keyId);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('is revoked already');
  });
});

describe('two operators at the same moment', () => {
  const store = () =>
    dynamoTenantStore(
      DynamoDBDocumentClient.from(gateway.local.services.dynamoClient),
      gateway.local.ready.resources.tenantTable ?? '',
    );
  const seen = { name: 'Seen', bulkLanes: 4, suspended: false };

  it('do not overwrite each other', async () => {
    const before = { ...seen, companyId: 'race-1' };
    expect(await store().createCompany(before)).toBe('created');
    expect(await store().changeCompany(before, { ...before, name: 'Mine' })).toBe('changed');
    expect(await store().changeCompany(before, { ...before, name: 'Yours' })).toBe('stale');
    expect(await store().getCompany('race-1')).toEqual({ ...before, name: 'Mine' });
  });

  it('may change different things', async () => {
    const before = { ...seen, companyId: 'race-2' };
    await store().createCompany(before);
    expect(await store().changeCompany(before, { ...before, from: 'a@example.com' })).toBe('changed');
    expect(await store().changeCompany(before, { ...before, suspended: true })).toBe('changed');
    expect(await store().changeCompany(before, { ...before, from: 'b@example.com' })).toBe('stale');
    expect(await store().getCompany('race-2')).toEqual({ ...before, from: 'a@example.com', suspended: true });
  });

  it('change nothing that is gone', async () => {
    const gone = { ...seen, companyId: 'race-3' };
    expect(await store().changeCompany(gone, { ...gone, suspended: true })).toBe('stale');
    expect(await store().getCompany('race-3')).toBeUndefined();
  });

  it('do not both rotate a key: the second makes none', async () => {
    const company = await aCompany('Race');
    const { keyId } = await aKey(company);
    const record = await store().getApiKey(keyId);
    if (!record) throw new Error('no key');
    const rotate = (next: string, expiresAt: string) =>
      store().rotateApiKey(record, { ...record, expiresAt }, { ...record, keyId: next });
    expect(await rotate('racenew00001', '2040-01-01T00:00:00.000Z')).toBe('changed');
    expect(await rotate('racenew00002', '2041-01-01T00:00:00.000Z')).toBe('stale');
    const keys = await store().listApiKeys(company);
    expect(keys.map((key) => key.keyId).sort()).toEqual([keyId, 'racenew00001'].sort());
    expect((await store().getApiKey(keyId))?.expiresAt).toBe('2040-01-01T00:00:00.000Z');
  });
});

describe('the command line', () => {
  it.each([
    ['companies show', ['companies', 'show', 'nobody']],
    ['companies suspend', ['companies', 'suspend', 'nobody', '--yes']],
    ['keys list', ['keys', 'list', '--company', 'nobody', '--json']],
    ['keys create', ['keys', 'create', '--company', 'nobody']],
  ])('%s of an unknown company is exit code 1', async (_, args) => {
    const { code, stdout, stderr } = await ops(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('There is no company nobody');
  });

  it('wrong usage is exit code 2, with nothing on stdout', async () => {
    const { code, stdout, stderr } = await ops('companies', 'create', '--bulk-lanes', '9', '--json');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--name is missing');
    expect(stderr).toContain('--bulk-lanes "9": allowed is a whole number from 1 to 8.');
  });

  it('runs by npm, against the data dir it is given', async () => {
    const args = [
      'run',
      '--silent',
      'ops',
      '--',
      'companies',
      'list',
      '--local',
      '--data-dir',
      gateway.dataDir,
    ];
    const { code, stdout } = await execute('npm', [...args, '--json'], ROOT);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: 'Demo' }));
  });
});

describe('what the runner leaves for it', () => {
  it('is the ready file and more, for the owner alone', () => {
    const path = join(gateway.dataDir, 'ready.json');
    const info = JSON.parse(readFileSync(path, 'utf8')) as ConnectionInfo;
    expect(info).toMatchObject(gateway.local.ready);
    expect(info.endpoints.secrets).toMatch(/^http:/);
    expect(info.outputs).toMatchObject({
      TenantTableName: info.resources.tenantTable,
      DeadLetterQueueUrl: info.resources.deadLetterQueueUrl,
      KeyringSecretArn: expect.any(String),
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is gone once it stopped', async () => {
    const dataDir = join(home, 'stopped');
    const other = await TestGateway.start({ dataDir });
    expect(existsSync(join(dataDir, 'ready.json'))).toBe(true);
    await other.local.close();
    expect(existsSync(join(dataDir, 'ready.json'))).toBe(false);
    const { code, stderr } = await ops('companies', 'list', '--local', '--data-dir', dataDir);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `No gateway is running in ${dataDir}: start it with \`npm start\`.\n`,
    });
  });
});
