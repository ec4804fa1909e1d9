import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { envSchema as senderEnv } from '../../../lambdas/sender/env.ts';
import { cached } from '../../../shared/adapters/cached.ts';
import { keyringSecret } from '../../../shared/adapters/keyring-secret.ts';
import { readEnv } from '../../../shared/adapters/read-env.ts';
import { MINUTE } from '../../factories/moments.ts';
import { TestClock } from '../../fakes/test-clock.ts';

describe('what is cached', () => {
  function aCache() {
    const clock = new TestClock();
    const asked: string[] = [];
    const values = new Map([['a', 1]]);
    const load = (key: string) => {
      asked.push(key);
      return Promise.resolve(values.get(key));
    };
    return { get: cached(load, MINUTE, clock.now), asked, values, clock };
  }

  it('is asked for once a minute', async () => {
    const { get, asked, values, clock } = aCache();
    expect(await get('a')).toBe(1);
    values.set('a', 2);
    clock.advance(MINUTE - 1);
    expect(await get('a')).toBe(1);
    clock.advance(1);
    expect(await get('a')).toBe(2);
    expect(asked).toEqual(['a', 'a']);
  });

  it('is asked for once by all who ask at once', async () => {
    const { get, asked } = aCache();
    expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual([1, 1, 1]);
    expect(asked).toEqual(['a']);
  });

  it('is not what was not found', async () => {
    const { get, values } = aCache();
    expect(await get('b')).toBeUndefined();
    values.set('b', 3);
    expect(await get('b')).toBe(3);
  });

  it('is forgotten when it is no longer found', async () => {
    const { get, values, clock } = aCache();
    await get('a');
    values.delete('a');
    clock.advance(MINUTE);
    expect(await get('a')).toBeUndefined();
  });

  it('is no failure', async () => {
    let down = true;
    const get = cached(
      () => (down ? Promise.reject(new Error('down')) : Promise.resolve(1)),
      MINUTE,
      () => 0,
    );
    await expect(get('a')).rejects.toThrow('down');
    down = false;
    expect(await get('a')).toBe(1);
  });
});

describe('the environment', () => {
  const schema = z.object({ TABLE: z.string().min(1), DAYS: z.coerce.number().int().positive() });

  it('is read and converted', () => {
    expect(readEnv(schema, { TABLE: 't', DAYS: '30', MORE: 'x' })).toEqual({ TABLE: 't', DAYS: 30 });
  });

  it('that is wrong stops the function, naming everything', () => {
    expect(() => readEnv(schema, { DAYS: '0' })).toThrow(/^wrong environment: TABLE: .*; DAYS: /);
  });

  it('of the sender knows two curves', () => {
    expect(() => readEnv(senderEnv, { BACKOFF_CURVE: 'cubic' })).toThrow(/BACKOFF_CURVE/);
  });
});

describe('the keyring', () => {
  const secrets = mockClient(SecretsManagerClient);
  beforeEach(() => secrets.reset());
  const SECRET = JSON.stringify({ 1: 'a root secret of enough characters' });
  const clock = new TestClock();
  const keyring = () =>
    keyringSecret('arn:secret', new SecretsManagerClient({ region: 'us-east-1' }), clock.now);

  it('that an operator extended is known everywhere after five minutes', async () => {
    const two = JSON.stringify({ ...JSON.parse(SECRET), 2: 'another root secret of enough characters' });
    secrets.on(GetSecretValueCommand).resolvesOnce({ SecretString: SECRET }).resolves({ SecretString: two });
    const read = keyring();
    expect((await read()).roots.size).toBe(1);
    clock.advance(5 * MINUTE);
    expect((await read()).roots.size).toBe(2);
  });

  it('is read once, even by many at once', async () => {
    secrets.on(GetSecretValueCommand, { SecretId: 'arn:secret' }).resolves({ SecretString: SECRET });
    const read = keyring();
    const [first, second] = await Promise.all([read(), read()]);
    expect(first.roots.get(1)).toBe('a root secret of enough characters');
    expect(second).toBe(first);
    expect(await read()).toBe(first);
    expect(secrets.calls()).toHaveLength(1);
  });

  it('that could not be read is tried again', async () => {
    secrets.on(GetSecretValueCommand).rejectsOnce(new Error('throttled')).resolves({ SecretString: SECRET });
    const read = keyring();
    await expect(read()).rejects.toThrow('throttled');
    expect((await read()).roots.size).toBe(1);
  });

  it.each([
    [undefined, 'the keyring secret is empty'],
    ['not json, but secret', 'the keyring secret is not a JSON object'],
  ])('that is %j says so, and not what it holds', async (SecretString, message) => {
    secrets.on(GetSecretValueCommand).resolves({ ...(SecretString !== undefined && { SecretString }) });
    await expect(keyring()()).rejects.toThrow(new Error(message));
  });
});
