import { describe, expect, it } from 'vitest';
import { readConfig } from '../../lib/config.ts';
import { aConfig } from './template.ts';

const PROD = { stage: 'prod', defaultFrom: 'mail@acme.com' };

describe('the deploy configuration', () => {
  it('is complete without a single value', () => {
    expect(aConfig()).toMatchObject({
      stage: 'dev',
      defaultFrom: 'no-reply@example.com',
      logLevel: 'INFO',
      backoffCurve: 'steps',
      sentRetentionDays: 30,
    });
  });

  it('takes values from the emailGateway object', () => {
    expect(aConfig({ emailGateway: { ...PROD, bulkConcurrency: 7 } })).toMatchObject({
      ...PROD,
      bulkConcurrency: 7,
    });
  });

  it('prefers single values from the command line', () => {
    expect(aConfig({ emailGateway: { ...PROD, logLevel: 'DEBUG' }, logLevel: 'WARN' }).logLevel).toBe('WARN');
  });

  it('reads numbers that arrive as strings', () => {
    const config = aConfig({ expressConcurrency: '50', logRetentionDays: '90', requestRate: '10' });
    expect(config).toMatchObject({ expressConcurrency: 50, logRetentionDays: 90, requestRate: 10 });
  });

  it.each(['', ' 5', '1e2', '0x10', '5.5', 'many'])('does not take %j for a number', (expressConcurrency) => {
    expect(() => aConfig({ expressConcurrency })).toThrow('expressConcurrency');
  });

  it('gives an example sender to the stages local and dev only', () => {
    expect(aConfig({ stage: 'local' }).defaultFrom).toBe('no-reply@example.com');
    expect(() => aConfig({ stage: 'prod' })).toThrow('defaultFrom = missing: allowed is the address');
  });

  it.each([
    ['stage', 'Prod'],
    ['stage', 'a-stage-name-too-long'],
    ['defaultFrom', 'Acme <mail@acme.com>'],
    ['domain', 'acme'],
    ['logLevel', 'verbose'],
    ['expressConcurrency', 1],
    ['bulkConcurrency', 1001],
    ['backoffCurve', 'linear'],
    ['sentRetentionDays', 29],
    ['logRetentionDays', 31],
    ['requestRate', 0],
    ['requestBurst', 5001],
  ])('refuses %s = %j, showing the value and what is allowed', (key, value) => {
    expect(() => aConfig({ ...PROD, [key]: value })).toThrow(
      `${key} = ${JSON.stringify(value)}: allowed is `,
    );
  });

  it('says which values are allowed', () => {
    expect(() => aConfig({ expressConcurrency: 1 })).toThrow('allowed is a whole number from 2 to 1000');
    expect(() => aConfig({ backoffCurve: 'linear' })).toThrow('allowed is one of steps, exponential');
    expect(() => aConfig({ logRetentionDays: 31 })).toThrow('allowed is one of 1, 3, 5, 7, 14, 30');
  });

  it('refuses keys that do not exist', () => {
    expect(() => aConfig({ emailGateway: { color: 'red' } })).toThrow(
      'color = "red": no such key; the keys are stage,',
    );
  });

  it('refuses a mistyped key from the command line, and leaves the keys of the CDK alone', () => {
    const context: Record<string, unknown> = { stgae: 'prod', '@aws-cdk/core:x': true, 'aws:cdk:y': 1 };
    const read = () => readConfig((key) => context[key], Object.keys(context));
    expect(messageOf(read).split('\n')).toEqual([
      'The deploy configuration is wrong:',
      expect.stringMatching(/^ +stgae = "prod": no such key/),
    ]);
  });

  it('refuses an emailGateway that is not an object', () => {
    expect(() => aConfig({ emailGateway: 'prod' })).toThrow('emailGateway = "prod": allowed is an object');
  });

  it('lists every fault once, in one error', () => {
    const faulty = { stage: 'prod', color: 'red', size: 3, logLevel: 'loud', requestRate: -1 };
    const lines = messageOf(() => aConfig({ emailGateway: faulty })).split('\n');
    expect(
      lines
        .slice(1)
        .map((line) => line.trim().split(' ')[0])
        .sort(),
    ).toEqual(['color', 'defaultFrom', 'logLevel', 'requestRate', 'size'].sort());
  });
});

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it did not throw');
}
