import { describe, expect, it } from 'vitest';
import { matchesPattern, type EventPattern } from '../../../local/event-sources/event-pattern.ts';

const event = {
  source: 'aws.ses',
  'detail-type': 'Email Bounced',
  resources: ['arn:one', 'arn:two'],
  detail: { size: 5, state: null, mail: { tags: [{ name: 'a' }, { name: 'b' }] } },
};

describe('an event pattern', () => {
  it.each<[string, EventPattern, boolean]>([
    ['nothing asked', {}, true],
    ['one of several values', { source: ['aws.sqs', 'aws.ses'] }, true],
    ['another value', { source: ['aws.sqs'] }, false],
    ['part of a value', { source: ['aws'] }, false],
    ['a field that is missing', { account: ['1'] }, false],
    ['all fields', { source: ['aws.ses'], 'detail-type': ['Email Bounced'] }, true],
    ['all but one field', { source: ['aws.ses'], 'detail-type': ['Email Opened'] }, false],
    ['a nested field', { detail: { size: [5] } }, true],
    ['a number as text', { detail: { size: ['5'] } }, false],
    ['null', { detail: { state: [null] } }, true],
    ['null for what is missing', { detail: { colour: [null] } }, false],
    ['an element of a list', { resources: ['arn:two'] }, true],
    ['no element of a list', { resources: ['arn:three'] }, false],
    ['a field of objects in a list', { detail: { mail: { tags: { name: ['b'] } } } }, true],
    ['a field of no object in a list', { detail: { mail: { tags: { name: ['c'] } } } }, false],
    ['prefix', { source: [{ prefix: 'aws.' }] }, true],
    ['another prefix', { source: [{ prefix: 'com.' }] }, false],
    ['prefix of a number', { detail: { size: [{ prefix: '5' }] } }, false],
    ['suffix', { source: [{ suffix: '.ses' }] }, true],
    ['equals-ignore-case', { source: [{ 'equals-ignore-case': 'AWS.SES' }] }, true],
    ['anything-but one', { source: [{ 'anything-but': 'aws.ses' }] }, false],
    ['anything-but others', { source: [{ 'anything-but': ['aws.sqs', 'aws.s3'] }] }, true],
    ['anything-but a prefix', { source: [{ 'anything-but': { prefix: 'aws' } }] }, false],
    ['anything-but of what is missing', { account: [{ 'anything-but': 'x' }] }, false],
    ['exists', { source: [{ exists: true }] }, true],
    ['exists, of what is missing', { account: [{ exists: true }] }, false],
    ['does not exist', { account: [{ exists: false }] }, true],
    [
      'does not exist, in a branch that is missing',
      { detail: { bounce: { type: [{ exists: false }] } } },
      true,
    ],
    ['numeric range', { detail: { size: [{ numeric: ['>', 0, '<=', 5] }] } }, true],
    ['numeric range missed', { detail: { size: [{ numeric: ['>', 0, '<', 5] }] } }, false],
    ['numeric equality', { detail: { size: [{ numeric: ['=', 5] }] } }, true],
    ['numeric bound', { detail: { size: [{ numeric: ['>=', 6] }] } }, false],
    ['$or', { $or: [{ source: ['x'] }, { 'detail-type': ['Email Bounced'] }] }, true],
    ['$or of nothing that holds', { $or: [{ source: ['x'] }, { source: ['y'] }] }, false],
    ['$or and another field', { $or: [{ source: ['aws.ses'] }], account: ['1'] }, false],
  ])('%s', (_name, pattern, expected) => {
    expect(matchesPattern(pattern, event)).toBe(expected);
  });

  it('does not match what is no object', () => {
    expect([matchesPattern({ a: ['x'] }, 'x'), matchesPattern({ a: ['x'] }, null)]).toEqual([false, false]);
  });

  it('refuses an operator that it does not know, by name', () => {
    expect(() => matchesPattern({ source: [{ wildcard: 'aws.*' }] }, event)).toThrow(
      new Error('Event pattern: the local runner does not know "wildcard".'),
    );
  });

  it('refuses a value outside a list', () => {
    expect(() => matchesPattern({ source: 'aws.ses' }, event)).toThrow(
      new Error('Event pattern: "source" must be a list or an object.'),
    );
  });
});
