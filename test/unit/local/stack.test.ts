import { describe, expect, it } from 'vitest';
import type { Template } from '../../../local/template/cloudformation.ts';
import { Stack } from '../../../local/template/stack.ts';

const template: Template = {
  Conditions: { Never: { 'Fn::Equals': [1, 2] }, Always: { 'Fn::Equals': [1, 1] } },
  Resources: {
    Mails: { Type: 'AWS::DynamoDB::GlobalTable', Properties: { BillingMode: 'PAY_PER_REQUEST' } },
    Short: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'short' } },
    Fifo: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
    Plain: { Type: 'AWS::SQS::Queue' },
    Bucket: { Type: 'AWS::S3::Bucket' },
    Absent: { Type: 'AWS::SQS::Queue', Condition: 'Never' },
    Present: { Type: 'AWS::SQS::Queue', Condition: 'Always' },
    Sender: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Code: { S3Bucket: { 'Fn::Sub': 'cdk-assets-${Nowhere}' } },
        Environment: { Variables: { TABLE: { Ref: 'Mails' }, QUEUE_URL: { Ref: 'Fifo' } } },
      },
    },
  },
  Outputs: { QueueUrl: { Value: { Ref: 'Fifo' } } },
};

describe('a stack', () => {
  it('names what it has by logical id, so that a restart finds it again', () => {
    const stack = new Stack(template);
    expect(stack.ref('Bucket')).toBe('bucket');
    expect(stack.attribute('Fifo', 'QueueName')).toBe('Fifo.fifo');
    expect(stack.attribute('Plain', 'Arn')).toBe('arn:aws:sqs:us-east-1:000000000000:Plain');
    expect(stack.attribute('Sender', 'Arn')).toBe('arn:aws:lambda:us-east-1:000000000000:function:Sender');
  });

  it('gives tables names that the AWS CLI can read shards of', () => {
    const stack = new Stack(template);
    expect(stack.ref('Short')).toBe('short------');
    expect(stack.ref('Mails').length).toBeGreaterThanOrEqual(11);
  });

  it('has no resource whose condition does not hold', () => {
    const stack = new Stack(template);
    expect(stack.ofType('AWS::SQS::Queue').map(({ id }) => id)).toEqual(['Fifo', 'Plain', 'Present']);
    expect(() => stack.ref('Absent')).toThrow(new Error('The template has no resource "Absent".'));
  });

  it('finds resources of several types', () => {
    const tables = new Stack(template).ofType('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable');
    expect(tables.map(({ id, type }) => [id, type])).toEqual([
      ['Mails', 'AWS::DynamoDB::GlobalTable'],
      ['Short', 'AWS::DynamoDB::Table'],
    ]);
  });

  it('learns what is known only at run time, and properties read after that have it', () => {
    const stack = new Stack(template);
    stack.learn('Fifo', { ref: 'http://127.0.0.1/Fifo.fifo' });
    stack.learn('Mails', { attributes: { StreamArn: 'arn:stream' } });
    expect(stack.output('QueueUrl')).toBe('http://127.0.0.1/Fifo.fifo');
    expect(stack.attribute('Mails', 'StreamArn')).toBe('arn:stream');
    // The bucket of the code exists only in AWS: it is left out, not resolved.
    expect(stack.ofType('AWS::Lambda::Function')[0]?.properties()).toEqual({
      Environment: { Variables: { TABLE: 'Mails------', QUEUE_URL: 'http://127.0.0.1/Fifo.fifo' } },
    });
  });

  it('has null for an output that is not there', () => {
    expect(new Stack(template).output('Mailing')).toBeNull();
  });

  it('refuses a type that it does not know, by name', () => {
    const Resources = { Fleet: { Type: 'AWS::EC2::Fleet' } };
    expect(() => new Stack({ Resources })).toThrow(
      new Error('The local runner does not know the resource type AWS::EC2::Fleet (of "Fleet").'),
    );
  });
});
