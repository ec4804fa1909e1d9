import { GetCommand, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ApiKeyRecord, Company } from '../domain/company.ts';
import { normaliseAddress } from '../domain/email-address.ts';
import type { TenantStore } from '../ports/tenant-store.ts';

/** One key a row; the index `byCompany` lists a company's rows by the kind in front of the id. */
export const tenantRowId = {
  company: (companyId: string) => `company#${companyId}`,
  apiKey: (keyId: string) => `key#${keyId}`,
  recipient: (recipientId: string) => `recipient#${recipientId}`,
  suppression: (companyId: string, address: string) =>
    `suppression#${companyId}#${normaliseAddress(address)}`,
};

export function dynamoTenantStore(client: DynamoDBDocumentClient, tableName: string): TenantStore {
  async function get<T>(id: string): Promise<T | undefined> {
    const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: { id } }));
    return Item as T | undefined;
  }
  async function put(id: string, row: object): Promise<void> {
    await client.send(new PutCommand({ TableName: tableName, Item: { id, ...row } }));
  }
  return {
    getApiKey: (keyId) => get<ApiKeyRecord>(tenantRowId.apiKey(keyId)),
    getCompany: (companyId) => get<Company>(tenantRowId.company(companyId)),
    putCompany: (company) => put(tenantRowId.company(company.companyId), company),
    putApiKey: (record) => put(tenantRowId.apiKey(record.keyId), record),
    putRecipient: (recipient) => put(tenantRowId.recipient(recipient.recipientId), recipient),
    putSuppression: (suppression) =>
      put(tenantRowId.suppression(suppression.companyId, suppression.address), suppression),
  };
}
