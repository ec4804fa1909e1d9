import { randomBytes } from 'node:crypto';
import { createApiKey } from '../shared/domain/api-key.ts';
import type { ApiKeyRecord } from '../shared/domain/company.ts';
import type { TenantStore } from '../shared/ports/tenant-store.ts';
import { command, needed, option, repeated, type Group } from './command.ts';
import { existingCompany, titleOf } from './companies.ts';
import { OpsError, UsageError } from './errors.ts';
import { fields, table } from './render.ts';
import { companyId, duration, ipAddress, keyId, moment, oneOf } from './values.ts';
import { NOTICED_WITHIN } from './verdicts.ts';

const EXAMPLE_COMPANY = '3f0c1d2e-9a4b-4c5d-8e6f-7a8b9c0d1e2f';
const EXAMPLE_KEY = 'abcdefgh2345';
const DEFAULT_OVERLAP_MS = 24 * 3_600_000;

const EXPIRY = {
  'expires-in': option(duration('1m', '3650d'), 'ends it after this long, such as 90d; never if not given'),
  'expires-at': option(moment, 'ends it at this moment, such as 2030-12-31T23:59:59Z'),
};

const list = command({
  name: 'list',
  summary: "Lists a company's keys (never the keys themselves: those are kept nowhere).",
  positionals: {},
  options: { company: needed(companyId, 'whose keys') },
  examples: [`keys list --company ${EXAMPLE_COMPANY}`, `keys list --company ${EXAMPLE_COMPANY} --json`],
  run: async ({ connect, now }, { company }) => {
    const { tenants } = await connect();
    const owner = await existingCompany(tenants, company);
    const records = await tenants.listApiKeys(owner.companyId);
    const views = records
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
      .map((record) => keyView(record, now()));
    return {
      json: views,
      text: table(
        ['KEY', 'MODE', 'STATE', 'CREATED', 'EXPIRES', 'REVOKED', 'ONLY FROM'],
        views.map((v) => [v.keyId, v.mode, v.state, v.createdAt, v.expiresAt, v.revokedAt, v.allowedIps]),
        `${titleOf(owner)} has no key yet. \`keys create\` makes one.`,
      ),
    };
  },
});

const create = command({
  name: 'create',
  summary: 'Creates a key and shows it, this once.',
  positionals: {},
  options: {
    company: needed(companyId, 'whose key it is'),
    mode: option(
      oneOf('live', 'test'),
      'a test key runs the whole line and writes to nobody; live if not given',
    ),
    ...EXPIRY,
    'allow-ip': repeated(ipAddress, 'accepts the key from this address only'),
  },
  examples: [
    `keys create --company ${EXAMPLE_COMPANY}`,
    `keys create --company ${EXAMPLE_COMPANY} --mode test --expires-in 90d`,
    `keys create --company ${EXAMPLE_COMPANY} --allow-ip 203.0.113.7 --allow-ip 2001:db8::7`,
  ],
  run: async ({ connect, now }, { company, mode, 'allow-ip': allowedIps, ...expiry }) => {
    const expiresAt = expiryOf(expiry, now());
    const { tenants, keyring } = await connect();
    const owner = await existingCompany(tenants, company);
    const { key, record } = createApiKey(
      await keyring(),
      {
        companyId: owner.companyId,
        mode: mode ?? 'live',
        ...(expiresAt !== undefined && { expiresAt }),
        ...(allowedIps.length > 0 && { allowedIps: [...new Set(allowedIps)] }),
      },
      now(),
      randomBytes,
    );
    await tenants.putApiKey(record);
    return {
      json: { key, ...keyView(record, now()) },
      text: [
        `Created a ${record.mode} key for ${titleOf(owner)}.`,
        shownOnce(key),
        keyFields(record, now()),
      ].join('\n\n'),
    };
  },
});

const rotate = command({
  name: 'rotate',
  summary: 'Makes a new key like an old one, which ends after an overlap.',
  notes: `The new key has the same company, mode and addresses. Both work during the overlap; the old one is
refused within ${NOTICED_WITHIN} of its end. A leaked key is better revoked at once (\`keys revoke\`).`,
  positionals: { keyId },
  options: {
    overlap: option(duration('1m', '90d'), 'how long the old key goes on working; 24h if not given'),
    ...EXPIRY,
  },
  examples: [`keys rotate ${EXAMPLE_KEY}`, `keys rotate ${EXAMPLE_KEY} --overlap 7d --expires-in 90d --json`],
  run: async ({ connect, now }, { overlap, ...args }) => {
    const at = now();
    const expiresAt = expiryOf(args, at);
    const { tenants, keyring } = await connect();
    const old = await existingKey(tenants, args.keyId);
    const { state } = keyView(old, at);
    if (state !== 'active') {
      throw new OpsError(`The key ${old.keyId} is ${state} already; \`keys create\` makes a new one.`);
    }
    const { companyId, mode, allowedIps } = old;
    const { key, record } = createApiKey(
      await keyring(),
      {
        companyId,
        mode,
        ...(allowedIps !== undefined && { allowedIps }),
        ...(expiresAt !== undefined && { expiresAt }),
      },
      at,
      randomBytes,
    );
    const ending = endingWithin(old, at + (overlap ?? DEFAULT_OVERLAP_MS));
    refuseStale(await tenants.rotateApiKey(old, ending, record), old);
    return {
      json: { key, ...keyView(record, at), replaces: keyView(ending, at) },
      text: [
        `Created a ${mode} key. The old one, ${old.keyId}, works until ${ending.expiresAt}.`,
        shownOnce(key),
        keyFields(record, at),
      ].join('\n\n'),
    };
  },
});

const revoke = command({
  name: 'revoke',
  summary: 'Ends a key at once.',
  notes: `Requests with it are refused within ${NOTICED_WITHIN}: the authorizer remembers a verdict for that long.
It cannot be undone. Mails that were accepted are sent all the same.`,
  positionals: { keyId },
  options: {},
  asksFirst: true,
  examples: [`keys revoke ${EXAMPLE_KEY}`, `keys revoke ${EXAMPLE_KEY} --yes --json`],
  run: async ({ connect, confirm, now }, args) => {
    const { tenants } = await connect();
    const record = await existingKey(tenants, args.keyId);
    if (record.revokedAt !== undefined) {
      return {
        json: keyView(record, now()),
        text: `The key ${record.keyId} was revoked already, at ${record.revokedAt}.`,
      };
    }
    const owner = await tenants.getCompany(record.companyId);
    const whose = owner ? titleOf(owner) : record.companyId;
    await confirm(`Revoke the ${record.mode} key ${record.keyId} of ${whose}? It cannot be undone.`);
    const revoked = { ...record, revokedAt: new Date(now()).toISOString() };
    refuseStale(await tenants.changeApiKey(record, revoked), record);
    return {
      json: keyView(revoked, now()),
      text: `Revoked the key ${record.keyId} of ${whose}. Requests with it are refused within ${NOTICED_WITHIN}: the authorizer remembers a verdict for that long.`,
    };
  },
});

export const keys: Group = {
  name: 'keys',
  summary: 'The API keys by which companies are known.',
  commands: [list, create, rotate, revoke],
};

async function existingKey(tenants: TenantStore, id: string): Promise<ApiKeyRecord> {
  const record = await tenants.getApiKey(id);
  if (!record) {
    throw new OpsError(`There is no key ${id}; \`keys list --company ID\` shows those there are.`);
  }
  return record;
}

function refuseStale(outcome: 'changed' | 'stale', { keyId }: ApiKeyRecord): void {
  if (outcome === 'changed') return;
  throw new OpsError(
    `Somebody else changed the key ${keyId} at the same moment, so nothing was written; look again and repeat.`,
  );
}

function expiryOf(
  given: { readonly 'expires-in': number | undefined; readonly 'expires-at': number | undefined },
  now: number,
): string | undefined {
  const { 'expires-in': within, 'expires-at': at } = given;
  if (within !== undefined && at !== undefined) {
    throw new UsageError('--expires-in and --expires-at say the same thing twice; allowed is one of them.');
  }
  if (at !== undefined && at <= now) {
    throw new UsageError(
      `--expires-at ${new Date(at).toISOString()} is in the past: allowed is a moment to come.`,
    );
  }
  const expires = within !== undefined ? now + within : at;
  return expires === undefined ? undefined : new Date(expires).toISOString();
}

/** A rotation never lengthens a key's life. */
export function endingWithin(record: ApiKeyRecord, latest: number): ApiKeyRecord & { expiresAt: string } {
  const { expiresAt } = record;
  if (expiresAt !== undefined && Date.parse(expiresAt) <= latest) return { ...record, expiresAt };
  return { ...record, expiresAt: new Date(latest).toISOString() };
}

/** Everything but the hash. */
function keyView(record: ApiKeyRecord, now: number) {
  const { keyId, companyId, mode, createdAt, expiresAt, revokedAt, allowedIps } = record;
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= now;
  return {
    keyId,
    companyId,
    mode,
    state: revokedAt !== undefined ? 'revoked' : isOver ? 'expired' : 'active',
    createdAt,
    expiresAt: expiresAt ?? null,
    revokedAt: revokedAt ?? null,
    allowedIps: allowedIps ?? null,
  };
}

function keyFields(record: ApiKeyRecord, now: number): string {
  const view = keyView(record, now);
  return fields({
    'Key id': view.keyId,
    Company: view.companyId,
    Mode: view.mode,
    Expires: view.expiresAt ?? 'never',
    'Only from': view.allowedIps ?? 'any address',
  });
}

function shownOnce(key: string): string {
  return `  ${key}\n\nKeep it now: it is shown this once and kept nowhere.`;
}
