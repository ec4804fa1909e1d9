import { randomBytes } from 'node:crypto';
import { PurgeQueueCommand } from '@aws-sdk/client-sqs';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import type { InvocationResult } from '../../local/lambda/lambda-function.ts';
import { sqsMailQueue } from '../../shared/adapters/sqs-mail-queue.ts';
import type { Email } from '../../shared/domain/email.ts';
import { jobFromEmail } from '../../shared/domain/job-from-email.ts';
import { DEFAULT_BULK_LANES, laneGroup, laneOf, queueOf } from '../../shared/domain/lanes.ts';
import { newOutboxId } from '../../shared/domain/outbox-id.ts';
import { nextLook, placeInWorkset } from '../../shared/domain/workset.ts';
import { until, useGateway } from './gateway.ts';

const gateway = useGateway();
const BACKLOG = 5_000;
const FAILED: InvocationResult = {
  ok: false,
  error: { errorType: 'Stopped', errorMessage: 'the test is over' },
  requestId: 'stopped',
};

const stopped: Array<(result: InvocationResult) => void> = [];

/** These rooms take their events and never come back, until the test is over. */
function stopRooms(...rooms: string[]): void {
  const names = rooms.map((room) => gateway().functionOf(room));
  gateway().local.host.intercept(({ functionName, run }) =>
    names.includes(functionName) ? new Promise((resolve) => stopped.push(resolve)) : run(),
  );
}

afterEach(() => {
  gateway().local.host.intercept(undefined);
  for (const resolve of stopped.splice(0)) resolve(FAILED);
});

/** Mails as the api writes them and messages as the relay sends them, without the time that takes. */
async function fillBulkQueue(): Promise<void> {
  const outboxId = await gateway().accept({ priority: 8 });
  const template = await gateway().item(outboxId);
  if (!template) throw new Error('no mail to copy');
  await gateway().request(`/v1/emails/${outboxId}`, { method: 'DELETE' });
  const now = gateway().clock.now();
  const mails = Array.from({ length: BACKLOG }, () => copyOf(template, now));
  const client = DynamoDBDocumentClient.from(gateway().local.services.dynamoClient);
  const table = gateway().local.ready.resources.emailTable ?? '';
  for (let i = 0; i < mails.length; i += 25) {
    const puts = mails.slice(i, i + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }));
  }
  const { expressQueueUrl, bulkQueueUrl } = gateway().local.ready.resources;
  await sqsMailQueue(gateway().sqs, { express: expressQueueUrl ?? '', bulk: bulkQueueUrl ?? '' }).send(
    mails.map((mail) => ({
      queue: queueOf(mail.lane),
      group: laneGroup(mail.companyId, mail.lane),
      job: jobFromEmail(mail, now),
    })),
  );
}

function copyOf(template: Email, now: number): Email {
  const outboxId = newOutboxId(now, randomBytes);
  const lane = laneOf(template.priority, outboxId, DEFAULT_BULK_LANES);
  const mail = { ...template, outboxId, lane, createdKey: `${template.createdAt}#${outboxId}` };
  const { worksetKey = '', worksetAt = '' } = placeInWorkset(mail, nextLook(now, 0, mail.expiresAt));
  return { ...mail, worksetKey, worksetAt };
}

async function sweepEveryMinute(times: number): Promise<void> {
  for (let minute = 0; minute < times; minute += 1) {
    await gateway().sweep();
    gateway().clock.jump(60_000);
  }
}

describe('a backlog', () => {
  it('of 5,000 waiting mails and ten sweeps leave 5,000 messages; a queue emptied by hand is rebuilt', async () => {
    stopRooms('sender', 'relay');
    gateway().local.rules.stopSchedules();
    await fillBulkQueue();
    expect(await gateway().depth('bulk')).toBe(BACKLOG);
    gateway().clock.jump(11 * 60_000);
    await sweepEveryMinute(10);
    expect(await gateway().depth('bulk')).toBe(BACKLOG);

    const { bulkQueueUrl } = gateway().local.ready.resources;
    await gateway().sqs.send(new PurgeQueueCommand({ QueueUrl: bulkQueueUrl ?? '' }));
    await until(
      () => gateway().depth('bulk'),
      (depth) => depth === 0,
    );
    gateway().clock.jump(60 * 60_000);
    await sweepEveryMinute(10);
    expect(await gateway().depth('bulk')).toBe(BACKLOG);
  }, 600_000);
});
