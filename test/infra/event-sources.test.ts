import { describe, expect, it } from 'vitest';
import { readable, TemplateUnderTest, type NamedResource } from './template.ts';

const stack = new TemplateUnderTest({ expressConcurrency: 40, bulkConcurrency: 6 });

function mappingsOf(functionId: string): NamedResource[] {
  return stack
    .all('AWS::Lambda::EventSourceMapping')
    .filter((mapping) => mapping.Properties.FunctionName.Ref === functionId);
}

describe('the relay', () => {
  const [stream, ...others] = mappingsOf(stack.functionOf('relay').id).map((mapping) => mapping.Properties);

  it('reads the stream of the EmailTable and nothing else', () => {
    expect(readable(stream.EventSourceArn)).toBe('<EmailTable.StreamArn>');
    expect(others).toEqual([]);
  });

  it('starts with the oldest record, so that a mail accepted before it existed is relayed', () => {
    expect(stream.StartingPosition).toBe('TRIM_HORIZON');
  });

  it('sees only new mails that are to be sent now', () => {
    expect(
      stream.FilterCriteria.Filters.map((filter: { Pattern: string }) => JSON.parse(filter.Pattern)),
    ).toEqual([
      {
        eventName: ['INSERT'],
        dynamodb: { NewImage: { kind: { S: ['EMAIL'] }, status: { S: ['PENDING'] } } },
      },
    ]);
  });

  it('works through the stream in wide batches', () => {
    expect(stream).toMatchObject({ BatchSize: 100, ParallelizationFactor: 10 });
  });

  it('narrows a failing batch down', () => {
    expect(stream.BisectBatchOnFunctionError).toBe(true);
    expect(stream.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
  });

  it('gives up before the records are gone, after a bounded number of retries', () => {
    expect(stream.MaximumRetryAttempts).toBe(10);
    expect(stream.MaximumRecordAgeInSeconds).toBe(12 * 60 * 60);
  });

  it('tells the operator what it gave up, for 14 days', () => {
    expect(readable(stream.DestinationConfig.OnFailure.Destination)).toBe('<RelayFailures.Arn>');
    const failures = stack.one('AWS::SQS::Queue', 'RelayFailures').Properties;
    expect(failures.MessageRetentionPeriod).toBe(14 * 24 * 60 * 60);
  });
});

describe('the sender', () => {
  const mappings = mappingsOf(stack.functionOf('sender').id).map((mapping) => mapping.Properties);

  it('consumes both queues', () => {
    expect(mappings.map((mapping) => readable(mapping.EventSourceArn))).toEqual([
      '<MailQueuesExpress.Arn>',
      '<MailQueuesBulk.Arn>',
    ]);
  });

  it('lets each message of a batch of 10 stand for itself', () => {
    for (const mapping of mappings) {
      expect(mapping).toMatchObject({ BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] });
    }
  });

  it('runs no wider for a queue than configured', () => {
    expect(mappings.map((mapping) => mapping.ScalingConfig.MaximumConcurrency)).toEqual([40, 6]);
  });

  it('knows how many of it share the sending rate', () => {
    const { SENDER_CONCURRENCY } = stack.functionOf('sender').Properties.Environment.Variables;
    expect(SENDER_CONCURRENCY).toBe('46');
  });
});

describe('the sweeper', () => {
  const sweeper = stack.functionOf('sweeper');
  const rule = stack.one('AWS::Events::Rule', 'Sweeper').Properties;

  it('runs every minute', () => {
    expect(rule).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
    expect(rule.Targets.map((target: { Arn: unknown }) => target.Arn)).toEqual([
      { 'Fn::GetAtt': [sweeper.id, 'Arn'] },
    ]);
  });

  it('ends before its next run begins', () => {
    expect(sweeper.Properties.Timeout).toBeLessThan(60);
  });

  it('leaves the retry of a failed run to the next one', () => {
    expect(rule.Targets[0].RetryPolicy.MaximumRetryAttempts).toBe(0);
    const invoke = stack.one('AWS::Lambda::EventInvokeConfig', 'Sweeper').Properties;
    expect(invoke).toMatchObject({ FunctionName: { Ref: sweeper.id }, MaximumRetryAttempts: 0 });
  });
});

describe('the feedback', () => {
  const feedback = stack.functionOf('feedback');
  const rule = stack.one('AWS::Events::Rule', 'Feedback').Properties;
  const destination = stack.one('AWS::SES::ConfigurationSetEventDestination').Properties;

  it("hears SES's events about mails of this stack, and of no other", () => {
    expect(destination.EventDestination).toMatchObject({
      Enabled: true,
      MatchingEventTypes: ['send', 'reject', 'bounce', 'complaint', 'delivery', 'deliveryDelay'],
    });
    expect(rule.EventPattern).toEqual({
      source: ['aws.ses'],
      detail: { mail: { tags: { 'ses:configuration-set': [destination.ConfigurationSetName] } } },
    });
    expect(rule.Targets[0].Arn).toEqual({ 'Fn::GetAtt': [feedback.id, 'Arn'] });
  });

  it('is tried again, and keeps what it could not apply', () => {
    const invoke = stack.one('AWS::Lambda::EventInvokeConfig', 'Feedback').Properties;
    const failures = { 'Fn::GetAtt': [stack.one('AWS::SQS::Queue', 'FeedbackFailures').id, 'Arn'] };
    expect(invoke).toMatchObject({ FunctionName: { Ref: feedback.id }, MaximumRetryAttempts: 2 });
    expect(invoke.DestinationConfig.OnFailure.Destination).toEqual(failures);
    expect(rule.Targets[0].DeadLetterConfig.Arn).toEqual(failures);
  });
});

describe('a deploy', () => {
  it.each(['relay', 'sweeper'] as const)(
    'updates the sender before the %s, which writes its jobs',
    (room) => {
      expect(stack.functionOf(room)).toMatchObject({
        DependsOn: expect.arrayContaining([stack.functionOf('sender').id]),
      });
    },
  );
});
