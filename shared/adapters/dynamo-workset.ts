import { paginateQuery, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { worksetKey } from '../domain/workset.ts';
import type { Workset } from '../ports/workset.ts';

const PAGE = 100;

export function dynamoWorkset(client: DynamoDBDocumentClient, tableName: string): Workset {
  return {
    async *overdue(kind, shard, until) {
      const pages = paginateQuery(
        { client, pageSize: PAGE },
        {
          TableName: tableName,
          IndexName: 'workset',
          KeyConditionExpression: 'worksetKey = :key AND worksetAt <= :until',
          ExpressionAttributeValues: { ':key': worksetKey(kind, shard), ':until': until },
        },
      );
      for await (const page of pages) for (const item of page.Items ?? []) yield item['outboxId'] as string;
    },
  };
}
