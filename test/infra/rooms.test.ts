import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { ROOMS, type Room } from '../../lib/bundle.ts';
import { TemplateUnderTest } from './template.ts';

const stack = new TemplateUnderTest({ logRetentionDays: 90, logLevel: 'DEBUG' });
const functions = stack.all('AWS::Lambda::Function');

/** Set for every room; Lambda, Node and Powertools read some of them without the room asking. */
const COMMON = ['LOG_LEVEL', 'POWERTOOLS_SERVICE_NAME', 'NODE_OPTIONS'];

const TIMEOUTS: Record<Room, number> = {
  authorizer: 5,
  api: 15,
  relay: 30,
  sender: 60,
  feedback: 30,
  sweeper: 50,
};

async function envSchemaOf(room: Room): Promise<z.ZodObject> {
  const { envSchema } = (await import(`../../lambdas/${room}/env.ts`)) as { envSchema: z.ZodObject };
  return envSchema;
}

it('each room is one function, and nothing else is', () => {
  expect(
    functions.map((each) => each.Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME).sort(),
  ).toEqual([...ROOMS].sort());
});

it('no two functions share a role', () => {
  expect(new Set(functions.map((each) => each.Properties.Role['Fn::GetAtt'][0])).size).toBe(ROOMS.length);
});

describe.each(ROOMS.map((room) => [room]))('%s', (room) => {
  const { Properties: lambda } = stack.functionOf(room);
  const variables = lambda.Environment.Variables as Record<string, unknown>;

  it('runs its bundle on Node.js 24, arm64', () => {
    expect(lambda).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
    });
  });

  it('has its timeout', () => {
    expect(lambda.Timeout).toBe(TIMEOUTS[room]);
  });

  it('is traced', () => {
    expect(lambda.TracingConfig).toEqual({ Mode: 'Active' });
  });

  it('logs to a group of its own, for as long as configured', () => {
    const logs = stack
      .all('AWS::Logs::LogGroup')
      .find((group) => group.id === lambda.LoggingConfig.LogGroup.Ref);
    expect(logs?.Properties.RetentionInDays).toBe(90);
    const sharing = functions.filter((each) => each.Properties.LoggingConfig.LogGroup.Ref === logs?.id);
    expect(sharing).toHaveLength(1);
  });

  it('shows lines of the source in its stack traces', () => {
    expect(variables.NODE_OPTIONS).toBe('--enable-source-maps');
    expect(existsSync(`dist/lambdas/${room}/index.mjs.map`)).toBe(true);
  });

  it('is told its log level', () => {
    expect(variables).toMatchObject({ LOG_LEVEL: 'DEBUG' });
  });

  it('is given every variable that its env.ts asks for', async () => {
    const asked = Object.keys((await envSchemaOf(room)).shape);
    expect(asked.filter((name) => !(name in variables))).toEqual([]);
  });

  it('is given no variable that its env.ts does not know', async () => {
    const asked = Object.keys((await envSchemaOf(room)).shape);
    expect(Object.keys(variables).filter((name) => !asked.includes(name) && !COMMON.includes(name))).toEqual(
      [],
    );
  });
});
