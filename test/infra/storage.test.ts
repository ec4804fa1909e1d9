import { describe, expect, it } from 'vitest';
import { readable, TemplateUnderTest } from './template.ts';

const stack = new TemplateUnderTest();
const emails = stack.one('AWS::DynamoDB::Table', 'EmailTable');
const tenants = stack.one('AWS::DynamoDB::Table', 'TenantTable');
const bucket = stack.one('AWS::S3::Bucket');

function keys(schema: { AttributeName: string; KeyType: string }[]): string[] {
  return schema.map((key) => `${key.KeyType} ${key.AttributeName}`);
}

function index(table: typeof emails, name: string) {
  const found = table.Properties.GlobalSecondaryIndexes.find(
    (each: { IndexName: string }) => each.IndexName === name,
  );
  return { keys: keys(found.KeySchema), projection: found.Projection.ProjectionType };
}

describe.each([
  ['EmailTable', emails],
  ['TenantTable', tenants],
])('%s', (_name, table) => {
  it('can be restored to any second', () => {
    expect(table.Properties.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled).toBe(true);
  });

  it('is encrypted with a key of the account', () => {
    expect(table.Properties.SSESpecification).toEqual({ SSEEnabled: true });
  });

  it('cannot be deleted by accident', () => {
    expect(table.Properties.DeletionProtectionEnabled).toBe(true);
  });

  it('is paid per request', () => {
    expect(table.Properties.BillingMode).toBe('PAY_PER_REQUEST');
  });

  it('forgets items by purgeAt', () => {
    expect(table.Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'purgeAt', Enabled: true });
  });
});

describe('EmailTable', () => {
  it('has one item a mail and one a body', () => {
    expect(keys(emails.Properties.KeySchema)).toEqual(['HASH outboxId', 'RANGE kind']);
  });

  it('streams the new image', () => {
    expect(emails.Properties.StreamSpecification.StreamViewType).toBe('NEW_IMAGE');
  });

  it('is warm for the first burst', () => {
    expect(emails.Properties.WarmThroughput).toEqual({
      ReadUnitsPerSecond: 12_000,
      WriteUnitsPerSecond: 4_000,
    });
  });

  it('lists mails by owner with keys only', () => {
    expect(index(emails, 'byCompany')).toEqual({
      keys: ['HASH ownerKey', 'RANGE createdKey'],
      projection: 'KEYS_ONLY',
    });
  });

  it('lists open work with keys only', () => {
    expect(index(emails, 'workset')).toEqual({
      keys: ['HASH worksetKey', 'RANGE worksetAt'],
      projection: 'KEYS_ONLY',
    });
  });
});

describe('TenantTable', () => {
  it('is read by id', () => {
    expect(keys(tenants.Properties.KeySchema)).toEqual(['HASH id']);
  });

  it('lists whole items by company', () => {
    expect(index(tenants, 'byCompany')).toEqual({ keys: ['HASH companyId', 'RANGE id'], projection: 'ALL' });
  });
});

describe('BodyBucket', () => {
  it('is closed to the public', () => {
    expect(Object.values(bucket.Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
  });

  it('is encrypted', () => {
    const [rule] = bucket.Properties.BucketEncryption.ServerSideEncryptionConfiguration;
    expect(rule.ServerSideEncryptionByDefault.SSEAlgorithm).toBe('AES256');
  });

  it('refuses requests without TLS', () => {
    const policy = stack.one('AWS::S3::BucketPolicy').Properties;
    expect(policy.Bucket).toEqual({ Ref: bucket.id });
    expect(policy.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Action: 's3:*',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  });

  it('keeps a body 15 days longer than the latest mail that could need it', () => {
    const [rule] = bucket.Properties.LifecycleConfiguration.Rules;
    expect(rule).toMatchObject({ Status: 'Enabled', ExpirationInDays: 46 });
  });

  it('cleans up unfinished uploads', () => {
    const [rule] = bucket.Properties.LifecycleConfiguration.Rules;
    expect(rule.AbortIncompleteMultipartUpload.DaysAfterInitiation).toBe(1);
  });
});

describe('KeyringSecret', () => {
  it('starts as version 1 with 64 random letters and digits', () => {
    expect(stack.one('AWS::SecretsManager::Secret').Properties.GenerateSecretString).toEqual({
      SecretStringTemplate: '{}',
      GenerateStringKey: '1',
      PasswordLength: 64,
      ExcludePunctuation: true,
    });
  });
});

describe('every resource that holds data', () => {
  const stateful = ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'];

  it.each(stateful.flatMap((type) => stack.all(type)).map((each) => [each.id, each]))(
    '%s outlives the stack',
    (_id, resource) => {
      expect(resource).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    },
  );

  it('is published, so that ops can find it', () => {
    const outputs = Object.values(stack.template.Outputs).map((output) => readable(output.Value));
    expect(outputs).toEqual(
      expect.arrayContaining(['<EmailTable>', '<TenantTable>', '<BodyBucket>', '<KeyringSecret>']),
    );
  });
});
