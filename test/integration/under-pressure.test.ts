import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { JOB_VERSION } from '../../shared/domain/email-job.ts';
import { jobFromEmail } from '../../shared/domain/job-from-email.ts';
import { acceptAndLose, until, useGateway } from './gateway.ts';

const gateway = useGateway();

describe('SES throttles', () => {
  it('half of all calls for a while: afterwards everything is SENT, once', async () => {
    await gateway().order('faults', { error: 'TooManyRequestsException', times: -1, probability: 0.5 });
    const ids = await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        gateway().accept({ to: `throttled-${i}@example.com`, priority: 1 + (i % 10) }),
      ),
    );
    await until(
      async () => (await gateway().inbox()).length,
      (count) => count >= 30,
    );
    await gateway().calmDown();
    for (const outboxId of ids) {
      await gateway().liveThrough(outboxId, 'SENT');
      expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
    }
    expect(await gateway().depth('deadLetter')).toBe(0);
  }, 120_000);
});

describe('a mail that always times out', () => {
  it('does not delay the mails behind it in its lane', async () => {
    await gateway().order('events', { send: 'drop' });
    await gateway().order('faults', { to: 'never@example.com', error: 504, times: -1 });
    const stuck = await gateway().accept({ to: 'never@example.com' });
    await gateway().untilStatus(stuck, 'RETRY_SCHEDULED');
    const neighbours = await Promise.all(
      Array.from({ length: 25 }, (_, i) => gateway().accept({ to: `neighbour-${i}@example.com` })),
    );
    for (const outboxId of neighbours) await gateway().untilStatus(outboxId, 'SENT');
    // Not a second of waiting time was skipped: the stuck one still waits, in a group of its own.
    expect((await gateway().view(stuck)).status).toBe('RETRY_SCHEDULED');
    await gateway().liveThrough(stuck, 'FAILED');
    await until(
      () => gateway().depth('deadLetter'),
      (depth) => depth === 1,
    );
  }, 90_000);
});

describe('a message that no sender can read', () => {
  const send = (body: string, group = 'manual') =>
    gateway().sqs.send(
      new SendMessageCommand({
        QueueUrl: gateway().local.ready.resources.expressQueueUrl ?? '',
        MessageBody: body,
        MessageGroupId: group,
        MessageDeduplicationId: crypto.randomUUID(),
      }),
    );

  it.each(['not JSON', '{}', '{"v":1,"outboxId":"x"}', 'null', '[]'])(
    '%s ends in the dead-letter queue, and its neighbours are sent',
    async (body) => {
      const before = await gateway().depth('deadLetter');
      await send(body, `${gateway().local.ready.companies.demo}:normal`);
      const neighbour = await gateway().accept();
      await gateway().untilStatus(neighbour, 'SENT');
      await until(
        () => gateway().depth('deadLetter'),
        (depth) => depth === before + 1,
      );
    },
  );

  it('speaks of a mail that does not exist, or of another company: the same', async () => {
    const before = await gateway().depth('deadLetter');
    const item = await gateway().item(await gateway().accept());
    if (!item) throw new Error('no item');
    const job = jobFromEmail(item, gateway().clock.now());
    await send(JSON.stringify({ ...job, outboxId: crypto.randomUUID() }));
    await send(JSON.stringify({ ...job, companyId: gateway().local.ready.companies.other }));
    await until(
      () => gateway().depth('deadLetter'),
      (depth) => depth === before + 2,
    );
    expect((await gateway().untilStatus(item.outboxId, 'SENT')).attempts).toBe(1);
  });
});

describe('a newer relay meets this sender', () => {
  /** A mail whose own message never comes. */
  async function unrelayed() {
    const item = await gateway().item(await acceptAndLose(gateway(), 'relay'));
    if (!item) throw new Error('no item');
    return item;
  }

  async function enqueue(job: object): Promise<void> {
    await gateway().sqs.send(
      new SendMessageCommand({
        QueueUrl: gateway().local.ready.resources.expressQueueUrl ?? '',
        MessageBody: JSON.stringify(job),
        MessageGroupId: 'newer',
        MessageDeduplicationId: crypto.randomUUID(),
      }),
    );
  }

  it('an unknown field is dropped, and the mail is sent', async () => {
    const item = await unrelayed();
    await enqueue({
      ...jobFromEmail(item, gateway().clock.now()),
      colour: 'blue',
      recipient: { ...item.recipient, tier: 1 },
    });
    expect((await gateway().untilStatus(item.outboxId, 'SENT')).attempts).toBe(1);
  });

  it('an unknown version is held, however long the deploy takes, and never failed', async () => {
    const before = await gateway().depth('deadLetter');
    const item = await unrelayed();
    await enqueue({ ...jobFromEmail(item, gateway().clock.now()), v: JOB_VERSION + 1 });
    // Twice as often as SQS delivers a message before it calls it dead.
    const { definition } = gateway().local.host.find(gateway().functionOf('sender'));
    let received = 0;
    gateway().local.host.intercept(({ functionName, run }) => {
      if (functionName === definition.name) received += 1;
      return run();
    });
    for (let seen = 0; seen < 10; seen = received) {
      // The sender may still be about to hide it: then the next jump brings it back.
      await until(
        () => {
          gateway().clock.jump(61_000);
          return received;
        },
        (count) => count > seen,
      );
    }
    gateway().local.host.intercept(undefined);
    expect(await gateway().depth('express')).toBe(1);
    expect(await gateway().depth('deadLetter')).toBe(before);
    expect(await gateway().view(item.outboxId)).toMatchObject({
      status: 'PENDING',
      attempts: 0,
      errorCode: null,
    });
  });
});
