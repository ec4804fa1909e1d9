import { describe, expect, it } from 'vitest';
import type { Template } from '../../../local/template/cloudformation.ts';
import { Intrinsics } from '../../../local/template/intrinsics.ts';

const template: Template = {
  Resources: {},
  Parameters: { Stage: { Default: 'local' }, Empty: {} },
  Conditions: {
    IsLocal: { 'Fn::Equals': [{ Ref: 'Stage' }, 'local'] },
    IsProduction: { 'Fn::Equals': [{ Ref: 'Stage' }, 'production'] },
    IsEither: { 'Fn::Or': [{ Condition: 'IsProduction' }, { Condition: 'IsLocal' }] },
    IsBoth: { 'Fn::And': [{ Condition: 'IsProduction' }, { Condition: 'IsLocal' }] },
    IsNotProduction: { 'Fn::Not': [{ Condition: 'IsProduction' }] },
  },
  Mappings: { Sizes: { small: { memory: 128 } } },
};

const { resolve, resolveString, condition } = (() => {
  const intrinsics = new Intrinsics(
    template,
    new Map([
      ['Table', { ref: 'mails', attributes: { Arn: 'arn:table', 'Stream.Arn': 'arn:stream' } }],
      ['Queue', { ref: 'http://queue', attributes: { QueueName: 'queue.fifo' } }],
    ]),
  );
  return {
    resolve: (value: unknown) => intrinsics.resolve(value),
    resolveString: (value: unknown) => intrinsics.resolveString(value),
    condition: (name: string) => intrinsics.condition(name),
  };
})();

describe('an intrinsic function', () => {
  it.each<[string, unknown, unknown]>([
    ['Ref to a resource', { Ref: 'Table' }, 'mails'],
    ['Ref to a parameter', { Ref: 'Stage' }, 'local'],
    ['Ref to a parameter without default', { Ref: 'Empty' }, ''],
    ['Ref to a region', { Ref: 'AWS::Region' }, 'us-east-1'],
    ['Ref to an account', { Ref: 'AWS::AccountId' }, '000000000000'],
    ['Ref to a partition', { Ref: 'AWS::Partition' }, 'aws'],
    ['GetAtt as a list', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'arn:table'],
    ['GetAtt as text', { 'Fn::GetAtt': 'Table.Arn' }, 'arn:table'],
    ['GetAtt of a nested attribute', { 'Fn::GetAtt': 'Table.Stream.Arn' }, 'arn:stream'],
    ['Join', { 'Fn::Join': ['/', ['a', { Ref: 'Table' }, { 'Fn::Join': ['', ['b', 1]] }]] }, 'a/mails/b1'],
    ['Split', { 'Fn::Split': [':', { 'Fn::GetAtt': ['Table', 'Arn'] }] }, ['arn', 'table']],
    ['Select', { 'Fn::Select': ['1', { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    [
      'Sub',
      { 'Fn::Sub': '${AWS::Region}/${Table}/${Table.Arn}/${!Kept}' },
      'us-east-1/mails/arn:table/${Kept}',
    ],
    ['Sub with variables', { 'Fn::Sub': ['${x}-${Table}', { x: { Ref: 'Stage' } }] }, 'local-mails'],
    ['If, yes', { 'Fn::If': ['IsLocal', { Ref: 'Table' }, { Ref: 'Nowhere' }] }, 'mails'],
    ['If, no', { 'Fn::If': ['IsProduction', { Ref: 'Nowhere' }, { Ref: 'Table' }] }, 'mails'],
    ['FindInMap', { 'Fn::FindInMap': ['Sizes', 'small', 'memory'] }, 128],
    ['Equals of number and text', { 'Fn::Equals': [1, '1'] }, true],
  ])('%s', (_name, value, expected) => {
    expect(resolve(value)).toEqual(expected);
  });

  it.each([
    ['IsLocal', true],
    ['IsProduction', false],
    ['IsEither', true],
    ['IsBoth', false],
    ['IsNotProduction', true],
  ])('decides the condition %s', (name, expected) => {
    expect(condition(name)).toBe(expected);
  });

  it('is found at any depth, and leaves everything else as it is', () => {
    const value = { a: [{ b: { Ref: 'Table' } }, 1, null, true], Ref: 'not alone', c: {} };
    expect(resolve(value)).toEqual({ a: [{ b: 'mails' }, 1, null, true], Ref: 'not alone', c: {} });
  });

  it('AWS::NoValue takes its property or element away', () => {
    const nothing = { Ref: 'AWS::NoValue' };
    const maybe = { 'Fn::If': ['IsProduction', 'x', nothing] };
    expect(resolve({ a: nothing, b: [1, maybe, 2], c: { d: maybe, e: 1 } })).toEqual({
      b: [1, 2],
      c: { e: 1 },
    });
  });

  it("is not seen in an IAM statement's Condition", () => {
    const statement = { Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } } };
    expect(resolve(statement)).toEqual({
      Condition: { StringEquals: { 'aws:SourceAccount': '000000000000' } },
    });
  });

  it.each<[unknown, string]>([
    [{ 'Fn::ImportValue': 'x' }, 'The local runner does not know the intrinsic function Fn::ImportValue.'],
    [{ Ref: 'Nowhere' }, 'Ref to "Nowhere", which does not exist locally.'],
    [{ 'Fn::GetAtt': ['Table', 'Colour'] }, 'Fn::GetAtt of "Table.Colour", which does not exist locally.'],
    [{ 'Fn::Sub': '${Nowhere.Arn}' }, 'Fn::GetAtt of "Nowhere.Arn", which does not exist locally.'],
    [{ 'Fn::If': ['IsRaining', 1, 2] }, 'The template has no condition "IsRaining".'],
    [{ 'Fn::Select': [2, ['a', 'b']] }, 'Fn::Select of [2,["a","b"]] finds nothing.'],
    [
      { 'Fn::FindInMap': ['Sizes', 'large', 'memory'] },
      'Fn::FindInMap of ["Sizes","large","memory"] finds nothing.',
    ],
  ])('%j is refused by name', (value, message) => {
    expect(() => resolve(value)).toThrow(new Error(message));
  });

  it('must give text where text is needed', () => {
    expect(resolveString({ Ref: 'Table' })).toBe('mails');
    expect(() => resolveString({ a: 1 })).toThrow(new Error('Expected {"a":1} to resolve to a string.'));
  });
});
