import {
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  InvalidParameterException,
  InvalidRequestException,
  ListSecretsCommand,
  paginateListSecrets,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LocalSecrets } from './local-secrets.ts';

const secrets = LocalSecrets.forEachTest();
const TOKEN = '11111111-2222-4333-8444-555555555555';
let arn: string;

beforeEach(async () => {
  arn = await secrets.emulator.ensureSecret('Keyring', () => 'first');
});

afterEach(() => {
  vi.unstubAllEnvs();
});

function put(more: Partial<PutSecretValueCommand['input']>) {
  return secrets.client.send(new PutSecretValueCommand({ SecretId: 'Keyring', ...more }));
}

describe('ensureSecret', () => {
  it('generates once, and answers the same ARN over restarts', async () => {
    await secrets.restart();
    const again = await secrets.emulator.ensureSecret('Keyring', () => 'never');
    expect(again).toBe(arn);
    expect(await secrets.value(arn)).toBe('first');
  });

  it('makes an ARN that ends like those of AWS', () => {
    expect(arn).toMatch(/^arn:aws:secretsmanager:us-east-1:000000000000:secret:Keyring-[A-Za-z0-9]{6}$/);
  });
});

describe('GetSecretValue', () => {
  it('finds the secret by name, ARN and ARN without its random end', async () => {
    for (const id of ['Keyring', arn, arn.slice(0, -7)]) expect(await secrets.value(id)).toBe('first');
  });

  it('tells the version', async () => {
    const got = await secrets.client.send(new GetSecretValueCommand({ SecretId: arn }));
    expect(got).toMatchObject({ ARN: arn, Name: 'Keyring', VersionStages: ['AWSCURRENT'] });
    expect(got.CreatedDate!.getTime()).toBe(secrets.clock.now());
    expect(await secrets.value(arn, { VersionId: got.VersionId! })).toBe('first');
  });

  it('serves a client that has nothing but AWS_ENDPOINT_URL_SECRETS_MANAGER set', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', secrets.emulator.url);
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
    const client = new SecretsManagerClient({});
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
    expect(SecretString).toBe('first');
    client.destroy();
  });

  it('throws ResourceNotFoundException for a secret, a version and a label that are not there', async () => {
    const missing = { VersionId: TOKEN };
    await expect(secrets.value('Keyrin')).rejects.toBeInstanceOf(ResourceNotFoundException);
    await expect(secrets.value(`${arn}x`)).rejects.toBeInstanceOf(ResourceNotFoundException);
    await expect(secrets.value(arn, missing)).rejects.toBeInstanceOf(ResourceNotFoundException);
    const pending = secrets.value(arn, { VersionStage: 'AWSPENDING' });
    await expect(pending).rejects.toThrow('staging label: AWSPENDING');
  });
});

describe('PutSecretValue', () => {
  it('makes the new value current and the old one previous, over a restart', async () => {
    await put({ SecretString: 'second' });
    await put({ SecretString: 'third' });
    await secrets.restart();
    expect(await secrets.value(arn)).toBe('third');
    expect(await secrets.value(arn, { VersionStage: 'AWSPREVIOUS' })).toBe('second');
  });

  it('under another label leaves the current value', async () => {
    await put({ SecretString: 'second', VersionStages: ['AWSPENDING'] });
    expect(await secrets.value(arn)).toBe('first');
    expect(await secrets.value(arn, { VersionStage: 'AWSPENDING' })).toBe('second');
  });

  it('keeps bytes', async () => {
    await put({ SecretBinary: Uint8Array.of(0, 255, 128) });
    const got = await secrets.client.send(new GetSecretValueCommand({ SecretId: arn }));
    expect([...got.SecretBinary!]).toEqual([0, 255, 128]);
    expect(got.SecretString).toBeUndefined();
  });

  it('repeated with the same token changes nothing; with another value it is refused', async () => {
    const { VersionId } = await put({ SecretString: 'second', ClientRequestToken: TOKEN });
    expect(VersionId).toBe(TOKEN);
    await put({ SecretString: 'second', ClientRequestToken: TOKEN });
    expect(await secrets.value(arn, { VersionStage: 'AWSPREVIOUS' })).toBe('first');
    const other = put({ SecretString: 'third', ClientRequestToken: TOKEN });
    await expect(other).rejects.toBeInstanceOf(ResourceExistsException);
  });

  it('needs one value, and one only', async () => {
    await expect(put({})).rejects.toBeInstanceOf(InvalidRequestException);
    const both = put({ SecretString: 'x', SecretBinary: Uint8Array.of(1) });
    await expect(both).rejects.toBeInstanceOf(InvalidParameterException);
    expect(await secrets.value(arn)).toBe('first');
  });

  it('does not create a secret', async () => {
    const call = put({ SecretId: 'Missing', SecretString: 'x' });
    await expect(call).rejects.toBeInstanceOf(ResourceNotFoundException);
  });

  it('lets a version and a label be asked for together only if they belong together', async () => {
    const { VersionId } = await put({ SecretString: 'second' });
    expect(await secrets.value(arn, { VersionId: VersionId!, VersionStage: 'AWSCURRENT' })).toBe('second');
    const apart = secrets.value(arn, { VersionId: VersionId!, VersionStage: 'AWSPREVIOUS' });
    await expect(apart).rejects.toBeInstanceOf(InvalidRequestException);
  });
});

describe('DescribeSecret', () => {
  it('tells the labels of the versions, and no value', async () => {
    secrets.clock.advance(5000);
    await put({ SecretString: 'second', ClientRequestToken: TOKEN });
    const description = await secrets.client.send(new DescribeSecretCommand({ SecretId: 'Keyring' }));
    expect(description).toMatchObject({ ARN: arn, Name: 'Keyring' });
    expect(description.VersionIdsToStages![TOKEN]).toEqual(['AWSCURRENT']);
    expect(Object.values(description.VersionIdsToStages!)).toContainEqual(['AWSPREVIOUS']);
    expect(description.LastChangedDate!.getTime() - description.CreatedDate!.getTime()).toBe(5000);
    expect(JSON.stringify(description)).not.toContain('second');
  });
});

describe('ListSecrets', () => {
  it('goes from page to page', async () => {
    await secrets.emulator.ensureSecret('Another', () => 'x');
    await secrets.emulator.ensureSecret('Third', () => 'x');
    const pages: (string | undefined)[][] = [];
    for await (const page of paginateListSecrets({ client: secrets.client, pageSize: 2 }, {})) {
      pages.push(page.SecretList!.map(({ Name }) => Name));
    }
    expect(pages).toEqual([['Keyring', 'Another'], ['Third']]);
  });

  it('refuses filters in place of leaving them out', async () => {
    const filtered = new ListSecretsCommand({ Filters: [{ Key: 'name', Values: ['x'] }] });
    await expect(secrets.client.send(filtered)).rejects.toMatchObject({ name: 'ValidationException' });
  });
});

describe('what is not emulated', () => {
  it('is refused as an unknown operation', async () => {
    const call = secrets.client.send(new DeleteSecretCommand({ SecretId: arn }));
    await expect(call).rejects.toMatchObject({ name: 'UnknownOperationException' });
    expect(await secrets.value(arn)).toBe('first');
  });
});
