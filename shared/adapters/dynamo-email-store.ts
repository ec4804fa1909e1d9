import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { GetCommand, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Email } from '../domain/email.ts';
import type { EmailStore } from '../ports/email-store.ts';

export function dynamoEmailStore(client: DynamoDBDocumentClient, tableName: string): EmailStore {
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

    async save(email) {
      const inTheWay = await putIf(email, {
        ConditionExpression: 'rev = :read',
        ExpressionAttributeValues: { ':read': email.rev - 1 },
      });
      return inTheWay === undefined ? { saved: true } : { saved: false, current: inTheWay ?? undefined };
    },
  };
}
