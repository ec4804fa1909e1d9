import type { ApiKeyRecord, Company, Recipient } from '../domain/company.ts';

export interface TenantStore {
  getApiKey(keyId: string): Promise<ApiKeyRecord | undefined>;
  getCompany(companyId: string): Promise<Company | undefined>;
  putCompany(company: Company): Promise<void>;
  putApiKey(record: ApiKeyRecord): Promise<void>;
  putRecipient(recipient: Recipient): Promise<void>;
}
