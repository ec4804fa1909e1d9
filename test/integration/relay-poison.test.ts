import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBBatchResponse } from 'aws-lambda';
import { afterEach, expect, it } from 'vitest';
import { SECOND } from '../factories/moments.ts';
import { until, useGateway } from './gateway.ts';

const gateway = useGateway();
afterEach(() => gateway().local.host.intercept(undefined));

interface LostRecords {
  readonly requestContext: { readonly condition: string; readonly approximateInvokeCount: number };
}

/**
 * The pauses between the relay's attempts grow to ten seconds. One jump for each failed attempt and no more:
 * senders at work must not see their messages' visibility time out.
 */
function skipPausesOfRelay(): void {
  const relay = gateway().functionOf('relay');
  gateway().local.host.intercept(async ({ functionName, run }) => {
    const result = await run();
    const failures = (result.ok && (result.payload as DynamoDBBatchResponse | null)?.batchItemFailures) || [];
    if (functionName === relay && failures.length > 0) {
      setImmediate(() => gateway().clock.jump(10 * SECOND));
    }
    return result;
  });
}

/** An accepted mail as the relay's filter sees it, with nothing in it that makes a mail. */
async function writePoison(): Promise<void> {
  const { emailTable } = gateway().local.ready.resources;
  const Item = { outboxId: { S: 'poison' }, kind: { S: 'EMAIL' }, status: { S: 'PENDING' } };
  await gateway().local.services.dynamoClient.send(new PutItemCommand({ TableName: emailTable ?? '', Item }));
}

async function receiveLost(): Promise<LostRecords[]> {
  const QueueUrl = gateway().local.stack.output('RelayFailuresQueueUrl') ?? '';
  const { Messages = [] } = await gateway().local.services.sqsClient.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
  );
  return Messages.map(({ Body = '' }) => JSON.parse(Body) as LostRecords);
}

it('a record that the relay cannot read ends in its queue for failures, and the mails behind it are sent', async () => {
  const before = await gateway().accept({ to: 'before@example.com' });
  await gateway().untilStatus(before, 'SENT');
  skipPausesOfRelay();
  await writePoison();
  const behind = await Promise.all([1, 2, 3].map((n) => gateway().accept({ to: `behind-${n}@example.com` })));

  const lost = await until(receiveLost, ({ length }) => length > 0);
  expect(lost).toEqual([
    expect.objectContaining({
      requestContext: expect.objectContaining({
        condition: 'RetryAttemptsExhausted',
        approximateInvokeCount: 11,
      }),
    }),
  ]);

  for (const outboxId of behind) {
    await gateway().untilStatus(outboxId, 'SENT');
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
  }
  const later = await gateway().accept({ to: 'later@example.com' });
  await gateway().untilStatus(later, 'SENT');
  expect(await receiveLost()).toEqual([]);
});
