import { isDeepStrictEqual } from 'node:util';
import type { ApiKeyRecord, Company, Recipient, Suppression } from '../../shared/domain/company.ts';
import { normaliseAddress } from '../../shared/domain/email-address.ts';
import type { ChangeOutcome, TenantStore } from '../../shared/ports/tenant-store.ts';

export class MemoryTenantStore implements TenantStore {
  readonly companies = new Map<string, Company>();
  readonly apiKeys = new Map<string, ApiKeyRecord>();
  readonly recipients = new Map<string, Recipient>();
  readonly suppressions = new Map<string, Suppression>();

  constructor(...companies: Company[]) {
    for (const company of companies) this.companies.set(company.companyId, company);
  }

  getApiKey(keyId: string): Promise<ApiKeyRecord | undefined> {
    return Promise.resolve(this.apiKeys.get(keyId));
  }
  getCompany(companyId: string): Promise<Company | undefined> {
    return Promise.resolve(this.companies.get(companyId));
  }
  listCompanies(): Promise<Company[]> {
    return Promise.resolve([...this.companies.values()]);
  }
  listApiKeys(companyId: string): Promise<ApiKeyRecord[]> {
    return Promise.resolve([...this.apiKeys.values()].filter((key) => key.companyId === companyId));
  }

  createCompany(company: Company): Promise<'created' | 'exists'> {
    if (this.companies.has(company.companyId)) return Promise.resolve('exists');
    this.companies.set(company.companyId, company);
    return Promise.resolve('created');
  }
  changeCompany(before: Company, after: Company): Promise<ChangeOutcome> {
    return Promise.resolve(change(this.companies, before.companyId, before, after));
  }
  changeApiKey(before: ApiKeyRecord, after: ApiKeyRecord): Promise<ChangeOutcome> {
    return Promise.resolve(change(this.apiKeys, before.keyId, before, after));
  }
  rotateApiKey(before: ApiKeyRecord, after: ApiKeyRecord, next: ApiKeyRecord): Promise<ChangeOutcome> {
    const outcome = this.apiKeys.has(next.keyId)
      ? 'stale'
      : change(this.apiKeys, before.keyId, before, after);
    if (outcome === 'changed') this.apiKeys.set(next.keyId, next);
    return Promise.resolve(outcome);
  }

  putCompany(company: Company): Promise<void> {
    this.companies.set(company.companyId, company);
    return Promise.resolve();
  }
  putApiKey(record: ApiKeyRecord): Promise<void> {
    this.apiKeys.set(record.keyId, record);
    return Promise.resolve();
  }
  putRecipient(recipient: Recipient): Promise<void> {
    this.recipients.set(recipient.recipientId, recipient);
    return Promise.resolve();
  }
  putSuppression(suppression: Suppression): Promise<void> {
    this.suppressions.set(suppressionKey(suppression.companyId, suppression.address), suppression);
    return Promise.resolve();
  }

  isSuppressed(companyId: string, address: string): boolean {
    return this.suppressions.has(suppressionKey(companyId, address));
  }
}

function suppressionKey(companyId: string, address: string): string {
  return `${companyId} ${normaliseAddress(address)}`;
}

/** As the port says: only what differs between the two is compared and written. */
function change<T extends object>(rows: Map<string, T>, id: string, before: T, after: T): ChangeOutcome {
  const current = rows.get(id);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof T)[];
  const differing = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  if (!current || differing.some((name) => !isDeepStrictEqual(current[name], before[name]))) return 'stale';
  const changed = { ...current };
  for (const name of differing) {
    if (after[name] === undefined) delete changed[name];
    else changed[name] = after[name];
  }
  rows.set(id, changed);
  return 'changed';
}
