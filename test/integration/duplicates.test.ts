import { ReceiveMessageCommand, StartMessageMoveTaskCommand, type Message } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it } from 'vitest';
import { dlqEntryOf } from '../../shared/domain/dlq-entry.ts';
import { acceptAndLose, until, useGateway } from './gateway.ts';

const gateway = useGateway();
afterEach(() => gateway().local.host.intercept(undefined));

const urls = () => gateway().local.ready.resources;
const deadLetterArn = () =>
  gateway().local.stack.attribute(
    gateway()
      .local.stack.ofType('AWS::SQS::Queue')
      .find(({ id }) => id.startsWith('MailQueuesDeadLetter'))?.id ?? '',
    'Arn',
  );

/** What one room is given from now on, in order. */
function watch(room: string): unknown[] {
  const events: unknown[] = [];
  const name = gateway().functionOf(room);
  gateway().local.host.intercept(({ functionName, event, run }) => {
    if (functionName !== name) return run();
    events.push(event);
    return run();
  });
  return events;
}

async function redriveAll(): Promise<void> {
  await gateway().sqs.send(new StartMessageMoveTaskCommand({ SourceArn: deadLetterArn() }));
}

async function failedMail(mail: object = {}): Promise<string> {
  const to = `dead-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const before = await gateway().depth('deadLetter');
  await gateway().order('faults', { to, error: 'MessageRejected', times: 1 });
  const outboxId = await gateway().accept({ to, ...mail });
  await gateway().untilStatus(outboxId, 'FAILED');
  await until(
    () => gateway().depth('deadLetter'),
    (depth) => depth === before + 1,
  );
  return outboxId;
}

describe('one mail, however often it is handed on', () => {
  it('the stream is replayed', async () => {
    const batches = watch('relay');
    const outboxId = await gateway().accept();
    await gateway().untilStatus(outboxId, 'SENT');
    gateway().clock.jump(6 * 60_000); // past SQS's own deduplication
    gateway().local.host.intercept(undefined);
    for (const batch of batches) await gateway().local.host.invoke(gateway().functionOf('relay'), batch);
    await until(
      () => gateway().depth('express'),
      (depth) => depth === 0,
    );
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
    expect((await gateway().view(outboxId)).attempts).toBe(1);
  });

  it('two senders get the message in the same moment', async () => {
    const sender = gateway().functionOf('sender');
    // A sender that must first be loaded would come too late to collide.
    await Promise.all([1, 2, 3, 4].map(() => gateway().local.host.invoke(sender, { Records: [] })));
    gateway().local.host.intercept(async ({ functionName, event, run }) => {
      if (functionName !== sender) return run();
      gateway().local.host.intercept(undefined);
      const others = [1, 2, 3].map(() => gateway().local.host.invoke(sender, event));
      const [first] = await Promise.all([run(), ...others]);
      return first;
    });
    const outboxId = await gateway().accept();
    const mail = await gateway().untilStatus(outboxId, 'SENT');
    // A loser may have hidden the message until the winner's lease and the grace are over.
    gateway().clock.jump(3 * 60_000);
    await until(
      () => gateway().depth('express'),
      (depth) => depth === 0,
    );
    expect(mail.attempts).toBe(1);
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
  });

  it('the sweeper and the queue race', async () => {
    const outboxId = await acceptAndLose(gateway(), 'sender');
    await until(
      () => gateway().depth('express'),
      (depth) => depth === 0,
    );
    gateway().clock.jump(11 * 60_000);
    await Promise.all([gateway().sweep(), gateway().sweep(), gateway().sweep()]);
    const mail = await gateway().untilStatus(outboxId, 'SENT');
    expect(mail.events.filter(({ type }) => type === 'REQUEUED')).toHaveLength(1);
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
  });

  it('an old copy arrives after the mail has FAILED', async () => {
    const seen = watch('sender') as { Records: { body: string; messageId: string }[] }[];
    const outboxId = await failedMail();
    const record = seen.flatMap(({ Records }) => Records).find(({ body }) => body.includes(outboxId));
    const before = await gateway().view(outboxId);
    // Same seq, another message, but sent before the failure: a late duplicate, no redrive.
    const stale = { ...record, messageId: crypto.randomUUID() };
    const result = await gateway().local.host.invoke(gateway().functionOf('sender'), { Records: [stale] });
    expect(result).toMatchObject({ ok: true, payload: { batchItemFailures: [] } });
    expect(await gateway().view(outboxId)).toEqual(before);
  });
});

describe('an operator redrives the dead-letter queue', () => {
  it('a new run of five attempts, visible on the timeline, with a fresh day to live', async () => {
    const outboxId = await failedMail();
    const dead = await gateway().view(outboxId);
    gateway().clock.jump(2 * 86_400_000);
    await redriveAll();
    const mail = await gateway().untilStatus(outboxId, 'SENT');
    expect(mail.events.slice(-5).map(({ type }) => type)).toEqual([
      'REDRIVEN',
      'RECEIVED',
      'VALIDATED',
      'SENT_ATTEMPT',
      'SENT',
    ]);
    expect(Date.parse(mail.expiresAt)).toBeGreaterThan(Date.parse(dead.expiresAt) + 86_400_000);
    expect(await gateway().depth('deadLetter')).toBe(0);
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
  });

  it('fails again for the same reason: back in the dead-letter queue, after its attempts', async () => {
    const to = `again-${crypto.randomUUID().slice(0, 8)}@example.com`;
    await gateway().order('faults', { to, error: 'ServiceUnavailableException', times: -1 });
    const outboxId = await gateway().accept({ to });
    await gateway().liveThrough(outboxId, 'FAILED');
    await until(
      () => gateway().depth('deadLetter'),
      (depth) => depth === 1,
    );
    gateway().clock.jump(60_000);
    await redriveAll();
    await until(
      () => gateway().view(outboxId),
      ({ events }) => events.some(({ type }) => type === 'REDRIVEN'),
    );
    const mail = await gateway().liveThrough(outboxId, 'FAILED');
    expect(mail.events.filter(({ type }) => type === 'SENT_ATTEMPT')).toHaveLength(10);
    await until(
      () => gateway().depth('deadLetter'),
      (depth) => depth === 1,
    );
    await gateway().calmDown();
    gateway().clock.jump(60_000);
    await redriveAll();
    await gateway().untilStatus(outboxId, 'SENT');
  });

  it('a mail that was SENT after all is not sent again', async () => {
    // SES took it, the answer was lost, the mail was given up, and then SES's own event came.
    const to = `late-${crypto.randomUUID().slice(0, 8)}@example.com`;
    const before = await gateway().depth('deadLetter');
    await gateway().order('events', { send: 'normal', delayMs: 30 * 60_000 });
    await gateway().order('faults', { to, error: 'RESET', times: 1, afterAccept: true });
    const outboxId = await gateway().accept({ to, onInDoubt: 'fail' });
    await gateway().liveThrough(outboxId, 'FAILED');
    await until(
      () => gateway().depth('deadLetter'),
      (depth) => depth === before + 1,
    );
    gateway().clock.jump(30 * 60_000);
    await gateway().untilStatus(outboxId, 'SENT');
    await redriveAll();
    await until(
      () => gateway().depth('deadLetter'),
      (depth) => depth === 0,
    );
    await until(
      () => gateway().depth('express'),
      (depth) => depth === 0,
    );
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
  });

  it('a one-time code whose time is over is EXPIRED, never sent late', async () => {
    const outboxId = await failedMail({ ttlSeconds: 600, priority: 1 });
    gateway().clock.jump(11 * 60_000);
    await redriveAll();
    await gateway().untilStatus(outboxId, 'EXPIRED');
    await until(
      () => gateway().depth('express'),
      (depth) => depth === 0,
    );
    expect(await gateway().inboxOf(outboxId)).toEqual([]);
  });

  it('within the seven days its body is still there, however often it was redriven', async () => {
    const outboxId = await failedMail();
    for (let weeks = 0; weeks < 4; weeks += 1) {
      gateway().clock.jump(6.9 * 86_400_000);
      const { to } = await gateway().view(outboxId);
      if (weeks < 3) await gateway().order('faults', { to, error: 'MessageRejected', times: 1 });
      await redriveAll();
      await until(
        () => gateway().view(outboxId),
        ({ events }) => events.filter(({ type }) => type === 'REDRIVEN').length === weeks + 1,
      );
      await gateway().untilStatus(outboxId, weeks < 3 ? 'FAILED' : 'SENT');
      if (weeks < 3) {
        await until(
          () => gateway().depth('deadLetter'),
          (depth) => depth === 1,
        );
      }
    }
    expect((await gateway().inboxOf(outboxId))[0]?.html).toBe('<p>Hello</p>');
  });

  it('the message says where it came from, and the mail why it is there', async () => {
    const outboxId = await failedMail();
    const { Messages = [] } = await gateway().sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: urls().deadLetterQueueUrl ?? '',
        MessageSystemAttributeNames: ['All'],
        VisibilityTimeout: 0,
        MaxNumberOfMessages: 10,
      }),
    );
    const [message] = Messages as [Message];
    expect(JSON.parse(message.Body ?? '{}')).toMatchObject({ outboxId });
    expect(message.Attributes?.['DeadLetterQueueSourceArn']).toMatch(/Express/);
    const item = await gateway().item(outboxId);
    expect(item && dlqEntryOf(item)).toMatchObject({
      outboxId,
      failedAttempts: 1,
      lastFailureCode: 'SES_MESSAGE_REJECTED',
      lastFailureReason: expect.stringContaining('MessageRejected'),
      ttl: 604_800_000,
    });
  });
});
