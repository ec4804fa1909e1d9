import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import type { Email } from '../domain/email.ts';
import type { EmailList } from '../ports/email-list.ts';
import type { EmailStore } from '../ports/email-store.ts';

export function dynamoEmailStore(client: DynamoDBDocumentClient, tableName: string): EmailStore & EmailList {
  /** Undefined if it was written; otherwise the item that stood in the way, or null if there was none. */
  async function putIf(
    email: Email,
    condition: Omit<PutCommand['input'], 'TableName' | 'Item'>,
  ): Promise<Email | null | undefined> {
    try {
      await client.send(
        new PutCommand({
          TableName: tableName,
          Item: email,
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          ...condition,
        }),
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return error.Item ? (unmarshall(error.Item) as Email) : null;
    }
  }

  /** The index has keys only, so that no change of state has to be written twice. */
  async function getAll(ids: readonly string[]): Promise<Map<string, Email>> {
    const found = new Map<string, Email>();
    let open: Record<string, unknown>[] = ids.map((outboxId) => ({ outboxId, kind: 'EMAIL' }));
    while (open.length > 0) {
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetCommand({ RequestItems: { [tableName]: { Keys: open } } }),
      );
      for (const item of Responses?.[tableName] ?? []) found.set(item['outboxId'] as string, item as Email);
      open = UnprocessedKeys?.[tableName]?.Keys ?? [];
    }
    return found;
  }

  return {
    async insert(email) {
      const existing = await putIf(email, { ConditionExpression: 'attribute_not_exists(outboxId)' });
      if (existing === null) throw new Error(`the item in the way of ${email.outboxId} did not come back`);
      return existing ? { inserted: false, existing } : { inserted: true };
    },

    async get(outboxId) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: { outboxId, kind: 'EMAIL' }, ConsistentRead: true }),
      );
      return Item as Email | undefined;
    },

    async list({ ownerKey, from, until, after, limit }) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: 'byCompany',
          KeyConditionExpression: 'ownerKey = :owner AND createdKey BETWEEN :from AND :until',
          ExpressionAttributeValues: {
            ':owner': ownerKey,
            ':from': from ?? '0',
            ':until': `${until ?? '9'}~`,
          },
          ScanIndexForward: false,
          Limit: limit,
          ...(after !== undefined && { ExclusiveStartKey: positionAt(ownerKey, after) }),
        }),
      );
      const ids = Items.map((item) => item['outboxId'] as string);
      const found = await getAll(ids);
      const last = LastEvaluatedKey?.['createdKey'] as string | undefined;
      return { emails: ids.flatMap((id) => found.get(id) ?? []), ...(last !== undefined && { last }) };
    },

    async save(email) {
      const inTheWay = await putIf(email, {
        ConditionExpression: 'rev = :read',
        ExpressionAttributeValues: { ':read': email.rev - 1 },
      });
      return inTheWay === undefined ? { saved: true } : { saved: false, current: inTheWay ?? undefined };
    },
  };
}

/** `createdKey` is `createdAt#outboxId`, so the whole key can be told from it. */
function positionAt(ownerKey: string, createdKey: string): Record<string, string> {
  const outboxId = createdKey.slice(createdKey.indexOf('#') + 1);
  return { ownerKey, createdKey, outboxId, kind: 'EMAIL' };
}
