import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseKeyring, type Keyring } from '../domain/keyring.ts';

/** Read once for the life of the instance; a failed read is tried again by the next call. */
export function keyringSecret(
  secretArn: string,
  client = new SecretsManagerClient({}),
): () => Promise<Keyring> {
  let loading: Promise<Keyring> | undefined;
  return () => {
    loading ??= load(client, secretArn).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

async function load(client: SecretsManagerClient, secretArn: string): Promise<Keyring> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
  if (SecretString === undefined) throw new Error('the keyring secret is empty');
  return parseKeyring(SecretString);
}
