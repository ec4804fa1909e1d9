import type { ApiKeyRecord, Company, Recipient, Suppression } from '../domain/company.ts';

/** `stale`: what is being changed is no longer as it was read, so nothing was written. */
export type ChangeOutcome = 'changed' | 'stale';

export interface TenantStore {
  getApiKey(keyId: string): Promise<ApiKeyRecord | undefined>;
  getCompany(companyId: string): Promise<Company | undefined>;
  listCompanies(): Promise<Company[]>;
  listApiKeys(companyId: string): Promise<ApiKeyRecord[]>;
  createCompany(company: Company): Promise<'created' | 'exists'>;
  /** Writes only what differs between the two, and only if that still is as in `before`. */
  changeCompany(before: Company, after: Company): Promise<ChangeOutcome>;
  changeApiKey(before: ApiKeyRecord, after: ApiKeyRecord): Promise<ChangeOutcome>;
  /** The change of the old key and the new key, both or neither. */
  rotateApiKey(before: ApiKeyRecord, after: ApiKeyRecord, next: ApiKeyRecord): Promise<ChangeOutcome>;
  putCompany(company: Company): Promise<void>;
  putApiKey(record: ApiKeyRecord): Promise<void>;
  putRecipient(recipient: Recipient): Promise<void>;
  putSuppression(suppression: Suppression): Promise<void>;
}
