import type { ApiKeyRecord, Company, Recipient, Suppression } from '../domain/company.ts';

export interface TenantStore {
  getApiKey(keyId: string): Promise<ApiKeyRecord | undefined>;
  getCompany(companyId: string): Promise<Company | undefined>;
  putCompany(company: Company): Promise<void>;
  putApiKey(record: ApiKeyRecord): Promise<void>;
  putRecipient(recipient: Recipient): Promise<void>;
  putSuppression(suppression: Suppression): Promise<void>;
}
