import { describe, expect, it } from 'vitest';
import { TemplateUnderTest } from './template.ts';

describe('the mailer', () => {
  const stack = new TemplateUnderTest({ stage: 'prod', defaultFrom: 'mail@acme.com' });

  it('has a configuration set, and the sender uses it', () => {
    const set = stack.one('AWS::SES::ConfigurationSet');
    expect(stack.functionOf('sender').Properties.Environment.Variables).toMatchObject({
      CONFIGURATION_SET: { Ref: set.id },
      DEFAULT_FROM: 'mail@acme.com',
    });
  });

  it('watches the reputation of its mails', () => {
    const set = stack.one('AWS::SES::ConfigurationSet').Properties;
    expect(set.ReputationOptions).toEqual({ ReputationMetricsEnabled: true });
  });

  it('verifies no domain unless one is configured', () => {
    expect(stack.all('AWS::SES::EmailIdentity')).toEqual([]);
  });
});

describe('the mailer with a domain', () => {
  const stack = new TemplateUnderTest({ domain: 'acme.com' });

  it('verifies it', () => {
    expect(stack.one('AWS::SES::EmailIdentity').Properties.EmailIdentity).toBe('acme.com');
  });

  it('prints the DNS records to add', () => {
    expect(Object.keys(stack.template.Outputs)).toEqual(
      expect.arrayContaining(['DkimRecord1', 'DkimRecord2', 'DkimRecord3']),
    );
  });
});
