import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import type { ApiKeyRecord, Company } from '../domain/company.ts';
import { normaliseAddress } from '../domain/email-address.ts';
import type { ChangeOutcome, TenantStore } from '../ports/tenant-store.ts';

/** One key a row; the index `byCompany` lists a company's rows by the kind in front of the id. */
export const tenantRowId = {
  company: (companyId: string) => `company#${companyId}`,
  apiKey: (keyId: string) => `key#${keyId}`,
  recipient: (recipientId: string) => `recipient#${recipientId}`,
  suppression: (companyId: string, address: string) =>
    `suppression#${companyId}#${normaliseAddress(address)}`,
};

/**
 * In `byCompany` the company rows themselves stand together under this name, so that listing them reads
 * nothing else: a scan would have to read every recipient of every company.
 */
const ALL_COMPANIES = 'companies';

export function dynamoTenantStore(client: DynamoDBDocumentClient, tableName: string): TenantStore {
  async function get<T>(id: string, read: (row: object) => T): Promise<T | undefined> {
    const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: { id } }));
    return Item && read(Item);
  }
  async function put(id: string, row: object): Promise<void> {
    await client.send(new PutCommand({ TableName: tableName, Item: { ...row, id } }));
  }
  async function list(companyId: string, kind: string): Promise<object[]> {
    const rows: object[] = [];
    let from: Record<string, unknown> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: 'byCompany',
          KeyConditionExpression: 'companyId = :companyId AND begins_with(id, :kind)',
          ExpressionAttributeValues: { ':companyId': companyId, ':kind': kind },
          ExclusiveStartKey: from,
        }),
      );
      rows.push(...Items);
      from = LastEvaluatedKey;
    } while (from);
    return rows;
  }
  async function change(id: string, before: object, after: object): Promise<ChangeOutcome> {
    const expressions = changeExpressions(before, after);
    if (!expressions) return 'changed';
    return unlessRefused('changed', 'stale', () =>
      client.send(new UpdateCommand({ TableName: tableName, Key: { id }, ...expressions })),
    );
  }
  return {
    getApiKey: (keyId) => get(tenantRowId.apiKey(keyId), apiKeyOf),
    getCompany: (companyId) => get(tenantRowId.company(companyId), companyOf),
    listCompanies: async () => (await list(ALL_COMPANIES, tenantRowId.company(''))).map(companyOf),
    listApiKeys: async (companyId) => (await list(companyId, tenantRowId.apiKey(''))).map(apiKeyOf),
    createCompany: (company) =>
      unlessRefused('created', 'exists', () =>
        client.send(
          new PutCommand({
            TableName: tableName,
            Item: companyRow(company),
            ConditionExpression: 'attribute_not_exists(id)',
          }),
        ),
      ),
    changeCompany: (before, after) => change(tenantRowId.company(before.companyId), before, after),
    changeApiKey: (before, after) => change(tenantRowId.apiKey(before.keyId), before, after),
    rotateApiKey: (before, after, next) => {
      const id = tenantRowId.apiKey(before.keyId);
      const item = { ...next, id: tenantRowId.apiKey(next.keyId) };
      const expressions = changeExpressions(before, after);
      return unlessRefused('changed', 'stale', () =>
        client.send(
          new TransactWriteCommand({
            TransactItems: [
              {
                Put: {
                  TableName: tableName,
                  Item: item,
                  ConditionExpression: 'attribute_not_exists(id)',
                },
              },
              ...(expressions ? [{ Update: { TableName: tableName, Key: { id }, ...expressions } }] : []),
            ],
          }),
        ),
      );
    },
    putCompany: (company) => put(tenantRowId.company(company.companyId), companyRow(company)),
    putApiKey: (record) => put(tenantRowId.apiKey(record.keyId), record),
    putRecipient: (recipient) => put(tenantRowId.recipient(recipient.recipientId), recipient),
    putSuppression: (suppression) =>
      put(tenantRowId.suppression(suppression.companyId, suppression.address), suppression),
  };
}

function companyRow(company: Company): Record<string, unknown> {
  return { ...company, id: tenantRowId.company(company.companyId), companyId: ALL_COMPANIES };
}

function companyOf(row: object): Company {
  const { id, ...rest } = row as Omit<Company, 'companyId'> & { id: string };
  return { ...rest, companyId: id.slice(tenantRowId.company('').length) };
}

function apiKeyOf(row: object): ApiKeyRecord {
  const { id, ...record } = row as ApiKeyRecord & { id: string };
  return record;
}

/** Sets and removes what differs, on condition that it is still as before. Undefined if nothing differs. */
function changeExpressions(before: object, after: object) {
  const old = before as Readonly<Record<string, unknown>>;
  const fresh = after as Readonly<Record<string, unknown>>;
  const differing = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter(
    (name) => !isDeepStrictEqual(old[name], fresh[name]),
  );
  if (differing.length === 0) return undefined;
  const sets: string[] = [];
  const removes: string[] = [];
  const conditions = ['attribute_exists(id)'];
  const values: Record<string, unknown> = {};
  differing.forEach((name, i) => {
    if (fresh[name] === undefined) removes.push(`#f${i}`);
    else {
      sets.push(`#f${i} = :new${i}`);
      values[`:new${i}`] = fresh[name];
    }
    if (old[name] === undefined) conditions.push(`attribute_not_exists(#f${i})`);
    else {
      conditions.push(`#f${i} = :old${i}`);
      values[`:old${i}`] = old[name];
    }
  });
  const parts = [
    ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
    ...(removes.length > 0 ? [`REMOVE ${removes.join(', ')}`] : []),
  ];
  return {
    UpdateExpression: parts.join(' '),
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(differing.map((name, i) => [`#f${i}`, name])),
    ExpressionAttributeValues: values,
  };
}

async function unlessRefused<Done extends string, Refused extends string>(
  done: Done,
  refused: Refused,
  write: () => Promise<unknown>,
): Promise<Done | Refused> {
  try {
    await write();
    return done;
  } catch (error) {
    if (isRefusedCondition(error)) return refused;
    throw error;
  }
}

function isRefusedCondition(error: unknown): boolean {
  if (error instanceof ConditionalCheckFailedException) return true;
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ConditionalCheckFailed')
  );
}
