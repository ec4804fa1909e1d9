import { randomUUID } from 'node:crypto';
import type { Company } from '../shared/domain/company.ts';
import { DEFAULT_BULK_LANES, MOST_BULK_LANES } from '../shared/domain/lanes.ts';
import type { TenantStore } from '../shared/ports/tenant-store.ts';
import { command, flag, needed, option, type Group, type Output } from './command.ts';
import { OpsError, UsageError } from './errors.ts';
import { fields, printable, table } from './render.ts';
import { NOTICED_WITHIN } from './verdicts.ts';
import { companyId, displayName, emailAddress, newId, wholeNumber } from './values.ts';

const bulkLanes = wholeNumber(1, MOST_BULK_LANES);
const EXAMPLE_ID = '3f0c1d2e-9a4b-4c5d-8e6f-7a8b9c0d1e2f';

const list = command({
  name: 'list',
  summary: 'Lists every company.',
  positionals: {},
  options: {},
  examples: ['companies list', 'companies list --stack EmailGateway-prod --json'],
  run: async ({ connect }) => {
    const { tenants } = await connect();
    const companies = (await tenants.listCompanies()).sort((a, b) => a.name.localeCompare(b.name));
    return {
      json: companies.map(companyView),
      text: table(
        ['COMPANY', 'NAME', 'FROM', 'BULK LANES', 'SUSPENDED'],
        companies.map((c) => [c.companyId, c.name, c.from, c.bulkLanes, c.suspended]),
        'There is no company yet. `companies create` makes one.',
      ),
    };
  },
});

const show = command({
  name: 'show',
  summary: 'Shows one company.',
  positionals: { companyId },
  options: {},
  examples: [`companies show ${EXAMPLE_ID}`],
  run: async ({ connect }, args) => {
    const { tenants } = await connect();
    return companyOutput(await existingCompany(tenants, args.companyId));
  },
});

const create = command({
  name: 'create',
  summary: 'Creates a company, which then needs a key (`keys create`).',
  positionals: {},
  options: {
    name: needed(displayName, 'what people call it'),
    from: option(emailAddress, "the address its mails come from; the deploy's default if not given"),
    'bulk-lanes': option(bulkLanes, `its weight among bulk senders; ${DEFAULT_BULK_LANES} if not given`),
    id: option(newId, 'its id, if it has one already; a new one if not given'),
  },
  examples: [
    'companies create --name "Padaria Exemplo"',
    'companies create --name "Padaria Exemplo" --from no-reply@padaria.example --bulk-lanes 2',
  ],
  run: async ({ connect }, { name, from, id, 'bulk-lanes': lanes }) => {
    const { tenants } = await connect();
    const company: Company = {
      companyId: id ?? randomUUID(),
      name,
      ...(from !== undefined && { from }),
      bulkLanes: lanes ?? DEFAULT_BULK_LANES,
      suspended: false,
    };
    if ((await tenants.createCompany(company)) === 'exists') {
      throw new OpsError(`There is a company ${company.companyId} already; nothing was changed.`);
    }
    return companyOutput(company, `Created ${titleOf(company)}.`);
  },
});

const update = command({
  name: 'update',
  summary: 'Changes what is given, and nothing else.',
  notes: `Takes effect within ${NOTICED_WITHIN}. Mails that wait keep their bulk lane.`,
  positionals: { companyId },
  options: {
    name: option(displayName, 'its new name'),
    from: option(emailAddress, 'the address its mails come from'),
    'default-from': flag("goes back to the deploy's default address"),
    'bulk-lanes': option(bulkLanes, 'its weight among bulk senders'),
  },
  examples: [
    `companies update ${EXAMPLE_ID} --name "Padaria Nova"`,
    `companies update ${EXAMPLE_ID} --from no-reply@padaria.example --bulk-lanes 8`,
    `companies update ${EXAMPLE_ID} --default-from`,
  ],
  run: async ({ connect }, { name, from, 'default-from': defaultFrom, 'bulk-lanes': lanes, ...args }) => {
    if (from !== undefined && defaultFrom) {
      throw new UsageError('--from and --default-from contradict each other; allowed is one of them.');
    }
    if (name === undefined && from === undefined && lanes === undefined && !defaultFrom) {
      throw new UsageError(
        'Nothing to change: give at least one of --name, --from, --default-from, --bulk-lanes.',
      );
    }
    const { tenants } = await connect();
    const before = await existingCompany(tenants, args.companyId);
    const { from: oldFrom, ...rest } = before;
    const newFrom = defaultFrom ? undefined : (from ?? oldFrom);
    const after: Company = {
      ...rest,
      ...(newFrom !== undefined && { from: newFrom }),
      ...(name !== undefined && { name }),
      ...(lanes !== undefined && { bulkLanes: lanes }),
    };
    await change(tenants, before, after);
    return companyOutput(after, `Updated ${titleOf(after)}.`);
  },
});

const suspend = command({
  name: 'suspend',
  summary: 'Refuses all requests of a company (403) and holds its mails.',
  notes: `Requests are refused within ${NOTICED_WITHIN}. Mails that were accepted wait: they are sent after
\`companies resume\`, unless they expire first.`,
  positionals: { companyId },
  options: {},
  asksFirst: true,
  examples: [`companies suspend ${EXAMPLE_ID}`, `companies suspend ${EXAMPLE_ID} --yes --json`],
  run: async ({ connect, confirm }, args) => {
    const { tenants } = await connect();
    const before = await existingCompany(tenants, args.companyId);
    if (before.suspended) return companyOutput(before, `${titleOf(before)} is suspended already.`);
    await confirm(`Suspend ${titleOf(before)}? Its requests get 403 and its mails wait.`);
    const after = { ...before, suspended: true };
    await change(tenants, before, after);
    return companyOutput(after, `Suspended ${titleOf(after)}; it takes effect within ${NOTICED_WITHIN}.`);
  },
});

const resume = command({
  name: 'resume',
  summary: 'Ends the suspension of a company.',
  notes: `Requests are accepted within ${NOTICED_WITHIN}; mails that were held go out when they are next looked at.`,
  positionals: { companyId },
  options: {},
  examples: [`companies resume ${EXAMPLE_ID}`],
  run: async ({ connect }, args) => {
    const { tenants } = await connect();
    const before = await existingCompany(tenants, args.companyId);
    if (!before.suspended) return companyOutput(before, `${titleOf(before)} is not suspended.`);
    const after = { ...before, suspended: false };
    await change(tenants, before, after);
    return companyOutput(after, `Resumed ${titleOf(after)}; it takes effect within ${NOTICED_WITHIN}.`);
  },
});

export const companies: Group = {
  name: 'companies',
  summary: 'The companies that send mails through this gateway.',
  commands: [list, show, create, update, suspend, resume],
};

export async function existingCompany(tenants: TenantStore, id: string): Promise<Company> {
  const company = await tenants.getCompany(id);
  if (!company) throw new OpsError(`There is no company ${id}; \`companies list\` shows those there are.`);
  return company;
}

async function change(tenants: TenantStore, before: Company, after: Company): Promise<void> {
  if ((await tenants.changeCompany(before, after)) === 'changed') return;
  throw new OpsError(
    `Somebody else changed ${titleOf(before)} at the same moment, so nothing was written; look again and repeat.`,
  );
}

export function titleOf({ name, companyId }: Company): string {
  return `${printable(name)} (${companyId})`;
}

function companyView({ companyId, name, from, bulkLanes, suspended }: Company) {
  return { companyId, name, from: from ?? null, bulkLanes, suspended };
}

function companyOutput(company: Company, sentence?: string): Output {
  const shown = fields({
    Company: company.companyId,
    Name: company.name,
    From: company.from ?? "the deploy's default",
    'Bulk lanes': company.bulkLanes,
    Suspended: company.suspended,
  });
  return { json: companyView(company), text: sentence === undefined ? shown : `${sentence}\n\n${shown}` };
}
