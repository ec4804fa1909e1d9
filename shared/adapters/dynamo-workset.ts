import { paginateQuery, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { worksetKey, type WorksetKind } from '../domain/workset.ts';
import type { Workset } from '../ports/workset.ts';

const PAGE = 100;

export function dynamoWorkset(client: DynamoDBDocumentClient, tableName: string): Workset {
  const query = (kind: WorksetKind, shard: number, condition: '<=' | '>', at: string) => ({
    TableName: tableName,
    IndexName: 'workset',
    KeyConditionExpression: `worksetKey = :key AND worksetAt ${condition} :at`,
    ExpressionAttributeValues: { ':key': worksetKey(kind, shard), ':at': at },
  });
  return {
    async *overdue(kind, shard, until) {
      const pages = paginateQuery({ client, pageSize: PAGE }, query(kind, shard, '<=', until));
      for await (const page of pages) for (const item of page.Items ?? []) yield item['outboxId'] as string;
    },

    async countAhead(kind, shard, after) {
      let count = 0;
      const counting = { ...query(kind, shard, '>', after), Select: 'COUNT' as const };
      for await (const page of paginateQuery({ client }, counting)) count += page.Count ?? 0;
      return count;
    },
  };
}
