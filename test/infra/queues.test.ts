import { describe, expect, it } from 'vitest';
import { TemplateUnderTest } from './template.ts';

const DAY = 24 * 60 * 60;
const stack = new TemplateUnderTest();
const deadLetter = stack.one('AWS::SQS::Queue', 'MailQueuesDeadLetter');
const lanes = ['Express', 'Bulk'].map((name) => stack.one('AWS::SQS::Queue', `MailQueues${name}`));

describe.each(lanes.map((queue) => [queue.id, queue]))('%s', (_id, { Properties: queue }) => {
  it('hides a message for at least six times the timeout of the sender', () => {
    expect(queue.VisibilityTimeout).toBeGreaterThanOrEqual(6 * stack.functionOf('sender').Properties.Timeout);
  });

  it('keeps a message longer than a mail can live', () => {
    expect(queue.MessageRetentionPeriod).toBe(4 * DAY);
  });

  it('gives up after 5 receives', () => {
    expect(queue.RedrivePolicy).toEqual({
      deadLetterTargetArn: { 'Fn::GetAtt': [deadLetter.id, 'Arn'] },
      maxReceiveCount: 5,
    });
  });
});

describe.each([...lanes, deadLetter].map((queue) => [queue.id, queue]))(
  '%s',
  (_id, { Properties: queue }) => {
    it('is first in, first out, with high throughput', () => {
      expect(queue).toMatchObject({
        FifoQueue: true,
        DeduplicationScope: 'messageGroup',
        FifoThroughputLimit: 'perMessageGroupId',
      });
    });

    it('deduplicates by the id that the sender of the message gives', () => {
      expect(queue.ContentBasedDeduplication).toBe(false);
    });
  },
);

describe('the dead-letter queue', () => {
  it('keeps a mail for 7 days', () => {
    expect(deadLetter.Properties.MessageRetentionPeriod).toBe(7 * DAY);
  });
});

describe.each(stack.all('AWS::SQS::Queue').map((queue) => [queue.id, queue]))('%s', (_id, queue) => {
  it('is encrypted', () => {
    expect(queue.Properties.SqsManagedSseEnabled).toBe(true);
  });

  it('refuses requests without TLS', () => {
    const policies = stack
      .all('AWS::SQS::QueuePolicy')
      .filter((policy) => policy.Properties.Queues.some((each: { Ref: string }) => each.Ref === queue.id));
    expect(policies.flatMap((policy) => policy.Properties.PolicyDocument.Statement)).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Action: 'sqs:*',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  });
});
