import { describe, expect, it } from 'vitest';
import { ROOMS, type Room } from '../../lib/bundle.ts';
import { TemplateUnderTest, withoutHash } from './template.ts';

const stack = new TemplateUnderTest();

/** Actions for which AWS knows no resource to name. */
const NEEDS_EVERY_RESOURCE = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords', 'ses:GetAccount'];

/** Resources that come into being after the deploy. */
const WILDCARDS_WITH_REASON = [
  '<BodyBucket.Arn>/*', // one object a mail
  'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*', // one identity a company
];

/** All that each room may do, apart from its own logs and traces. */
const EXPECTED: Record<Room, string[]> = {
  authorizer: ['dynamodb:GetItem <TenantTable.Arn>', 'secretsmanager:GetSecretValue <KeyringSecret>'],
  api: [
    'dynamodb:BatchGetItem <EmailTable.Arn>',
    'dynamodb:GetItem <EmailTable.Arn>',
    'dynamodb:PutItem <EmailTable.Arn>',
    'dynamodb:Query <EmailTable.Arn>/index/byCompany',
    's3:PutObject <BodyBucket.Arn>/*',
    'secretsmanager:GetSecretValue <KeyringSecret>',
  ],
  relay: [
    'dynamodb:DescribeStream <EmailTable.StreamArn>',
    'dynamodb:GetRecords <EmailTable.StreamArn>',
    'dynamodb:GetShardIterator <EmailTable.StreamArn>',
    'dynamodb:ListStreams <EmailTable.StreamArn>',
    'sqs:SendMessage <MailQueuesBulk.Arn>',
    'sqs:SendMessage <MailQueuesExpress.Arn>',
    'sqs:SendMessage <RelayFailures.Arn>',
  ],
  sender: [
    ...['EmailTable', 'TenantTable'].flatMap((table) =>
      ['BatchGetItem', 'GetItem', 'PutItem'].map((action) => `dynamodb:${action} <${table}.Arn>`),
    ),
    's3:GetObject <BodyBucket.Arn>/*',
    's3:PutObject <BodyBucket.Arn>/*',
    'ses:GetAccount *',
    'ses:SendEmail arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:configuration-set/<MailerConfigurationSet>',
    'ses:SendEmail arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*',
    ...['MailQueuesBulk', 'MailQueuesExpress'].flatMap((queue) =>
      ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage', 'SendMessage'].map(
        (action) => `sqs:${action} <${queue}.Arn>`,
      ),
    ),
  ],
  feedback: [
    'dynamodb:GetItem <EmailTable.Arn>',
    'dynamodb:PutItem <EmailTable.Arn>',
    'dynamodb:PutItem <TenantTable.Arn>',
    'sqs:GetQueueAttributes <FeedbackFailures.Arn>',
    'sqs:GetQueueUrl <FeedbackFailures.Arn>',
    'sqs:SendMessage <FeedbackFailures.Arn>',
  ],
  sweeper: [
    'dynamodb:GetItem <EmailTable.Arn>',
    'dynamodb:PutItem <EmailTable.Arn>',
    'dynamodb:Query <EmailTable.Arn>/index/workset',
    'sqs:GetQueueAttributes <MailQueuesBulk.Arn>',
    'sqs:GetQueueAttributes <MailQueuesExpress.Arn>',
    'sqs:SendMessage <MailQueuesBulk.Arn>',
    'sqs:SendMessage <MailQueuesExpress.Arn>',
  ],
};

describe.each(ROOMS.map((room) => [room]))('%s', (room) => {
  const grants = stack
    .statementsOf(room)
    .flatMap(({ actions, resources }) =>
      actions.flatMap((action) => resources.map((resource) => ({ action, resource }))),
    );

  it('may do what it needs and nothing else', () => {
    const own = grants.filter(({ action }) => !/^(logs|xray):/.test(action));
    expect(own.map(({ action, resource }) => `${action} ${resource}`).sort()).toEqual(
      [...EXPECTED[room]].sort(),
    );
  });

  it('is only ever allowed, and action by action', () => {
    expect(stack.statementsOf(room).map((statement) => statement.effect)).not.toContain('Deny');
    expect(grants.filter(({ action }) => action.includes('*'))).toEqual([]);
  });

  it('names its resources wherever AWS lets it', () => {
    const wide = grants
      .filter(({ resource }) => resource.includes('*'))
      .filter(({ resource }) => !WILDCARDS_WITH_REASON.includes(resource))
      .filter(({ action, resource }) => !(resource === '*' && NEEDS_EVERY_RESOURCE.includes(action)));
    expect(wide).toEqual([]);
  });

  it('writes to its own log group only', () => {
    const logs = withoutHash(stack.functionOf(room).Properties.LoggingConfig.LogGroup.Ref);
    expect(grants.filter(({ action }) => action.startsWith('logs:'))).toEqual([
      { action: 'logs:CreateLogStream', resource: `<${logs}.Arn>` },
      { action: 'logs:PutLogEvents', resource: `<${logs}.Arn>` },
    ]);
  });
});

describe('every role', () => {
  it('has no managed policies, of AWS or of ours', () => {
    expect(stack.all('AWS::IAM::ManagedPolicy')).toEqual([]);
    expect(stack.all('AWS::IAM::Role').filter((role) => role.Properties.ManagedPolicyArns)).toEqual([]);
  });

  it('belongs to a function, and only Lambda may assume it', () => {
    const roles = stack.all('AWS::IAM::Role');
    expect(roles).toHaveLength(ROOMS.length);
    for (const role of roles) {
      expect(role.Properties.AssumeRolePolicyDocument.Statement).toEqual([
        { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
      ]);
    }
  });

  it('has its whole policy in place before its function is made', () => {
    for (const policy of stack.all('AWS::IAM::Policy')) {
      const roleId = policy.Properties.Roles[0].Ref;
      const lambda = stack
        .all('AWS::Lambda::Function')
        .find((each) => each.Properties.Role['Fn::GetAtt'][0] === roleId);
      expect(lambda).toMatchObject({ DependsOn: expect.arrayContaining([policy.id]) });
    }
  });
});
