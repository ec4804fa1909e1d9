import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseKeyring, type Keyring } from '../domain/keyring.ts';
import { cached } from './cached.ts';

/** A version that an operator adds is known everywhere after this long. */
const REMEMBERED_MS = 5 * 60_000;

export function keyringSecret(
  secretArn: string,
  client = new SecretsManagerClient({}),
  now: () => number = Date.now,
): () => Promise<Keyring> {
  const read = cached((arn) => load(client, arn), REMEMBERED_MS, now);
  return async () => {
    const keyring = await read(secretArn);
    if (!keyring) throw new Error('the keyring secret is empty');
    return keyring;
  };
}

async function load(client: SecretsManagerClient, secretArn: string): Promise<Keyring | undefined> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
  return SecretString === undefined ? undefined : parseKeyring(SecretString);
}
