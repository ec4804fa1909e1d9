import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readConfig } from '../../../lib/config.ts';
import { synthesise } from '../../../lib/synthesise.ts';
import { startDynamoDb } from '../../../local/dynamodb/engine.ts';
import { ensureTable, tableDefinition } from '../../../local/dynamodb/tables.ts';
import { clientConfig } from '../../../local/template/cloudformation.ts';
import { Stack } from '../../../local/template/stack.ts';
import { dynamoEmailStore } from '../../../shared/adapters/dynamo-email-store.ts';
import type { EmailStore } from '../../../shared/ports/email-store.ts';
import { MemoryEmailStore } from '../../fakes/memory-email-store.ts';

export interface StoreUnderTest {
  readonly store: EmailStore;
  close(): Promise<void>;
}

export function memoryStore(): Promise<StoreUnderTest> {
  return Promise.resolve({ store: new MemoryEmailStore(), close: () => Promise.resolve() });
}

/** The adapter on the local engine, with the table as the template describes it. */
export async function dynamoStore(): Promise<StoreUnderTest> {
  const dataDir = mkdtempSync(join(tmpdir(), 'email-store-'));
  const { template } = synthesise(
    readConfig((key) => (key === 'emailGateway' ? { stage: 'local' } : undefined)),
    join(dataDir, 'cdk.out'),
  );
  const stack = new Stack(template);
  const table = stack
    .ofType('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable')
    .map((resource) => tableDefinition(stack.ref(resource.id), resource))
    .find(({ globalIndexes }) => globalIndexes.some(({ IndexName }) => IndexName === 'workset'));
  if (!table) throw new Error('the template has no table of mails');
  const engine = await startDynamoDb({ dataDir });
  const client = new DynamoDBClient(clientConfig(engine.url));
  await ensureTable(client, table);
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  return {
    store: dynamoEmailStore(documents, table.name),
    close: async () => {
      client.destroy();
      await engine.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
