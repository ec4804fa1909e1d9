import { z } from 'zod';
import { SecretsError } from './errors.ts';
import { CURRENT, findVersion, type Secret, type SecretValue } from './secret.ts';
import type { Secrets } from './secrets.ts';

const TARGET = 'secretsmanager.';

const secretId = z.string().min(1).max(2048);

const getSecretValueInput = z.object({
  SecretId: secretId,
  VersionId: z.string().min(32).max(64).optional(),
  VersionStage: z.string().min(1).max(256).optional(),
});

const putSecretValueInput = z.object({
  SecretId: secretId,
  ClientRequestToken: z.string().min(32).max(64),
  SecretString: z.string().min(1).max(65_536).optional(),
  SecretBinary: z.string().min(1).optional(),
  VersionStages: z.array(z.string().min(1).max(256)).min(1).max(20).optional(),
});

const describeSecretInput = z.object({ SecretId: secretId });

/** Filters and the like are refused, since leaving them out would list too much. */
const listSecretsInput = z.strictObject({
  MaxResults: z.int().min(1).max(100).optional(),
  NextToken: z.string().optional(),
});

export function perform(secrets: Secrets, target: string, input: unknown): object {
  switch (target) {
    case `${TARGET}GetSecretValue`:
      return getSecretValue(secrets, parse(getSecretValueInput, input));
    case `${TARGET}PutSecretValue`:
      return putSecretValue(secrets, parse(putSecretValueInput, input));
    case `${TARGET}DescribeSecret`:
      return describeSecret(secrets.get(parse(describeSecretInput, input).SecretId));
    case `${TARGET}ListSecrets`:
      return listSecrets(secrets, parse(listSecretsInput, input));
    default:
      throw new SecretsError('UnknownOperationException', `Not emulated: ${target}`);
  }
}

function getSecretValue(secrets: Secrets, input: z.infer<typeof getSecretValueInput>): object {
  const secret = secrets.get(input.SecretId);
  const version = findVersion(secret, { id: input.VersionId, stage: input.VersionStage });
  const { value } = version;
  return {
    ARN: secret.arn,
    Name: secret.name,
    VersionId: version.id,
    ...('string' in value ? { SecretString: value.string } : { SecretBinary: value.binary }),
    VersionStages: version.stages,
    CreatedDate: version.createdAt / 1000,
  };
}

function putSecretValue(secrets: Secrets, input: z.infer<typeof putSecretValueInput>): object {
  const secret = secrets.get(input.SecretId);
  const stages = input.VersionStages ?? [CURRENT];
  secrets.addVersion(secret, { id: input.ClientRequestToken, value: valueOf(input), stages });
  return { ARN: secret.arn, Name: secret.name, VersionId: input.ClientRequestToken, VersionStages: stages };
}

function valueOf({ SecretString, SecretBinary }: z.infer<typeof putSecretValueInput>): SecretValue {
  if (SecretString !== undefined && SecretBinary !== undefined) {
    throw new SecretsError(
      'InvalidParameterException',
      "You can't specify both a binary secret value and a string secret value in the same secret.",
    );
  }
  if (SecretString !== undefined) return { string: SecretString };
  if (SecretBinary !== undefined) return { binary: SecretBinary };
  throw new SecretsError('InvalidRequestException', 'You must provide either SecretString or SecretBinary.');
}

function describeSecret(secret: Secret): object {
  const stages = secret.versions.map(({ id, stages }) => [id, stages] as const);
  return { ...summaryOf(secret), VersionIdsToStages: Object.fromEntries(stages) };
}

function listSecrets(secrets: Secrets, input: z.infer<typeof listSecretsInput>): object {
  const { MaxResults = 100, NextToken = '0' } = input;
  if (!/^\d+$/.test(NextToken)) throw new SecretsError('InvalidNextTokenException', 'Invalid NextToken.');
  const from = Number(NextToken);
  const all = secrets.list();
  const page = all.slice(from, from + MaxResults).map((secret) => ({
    ...summaryOf(secret),
    SecretVersionsToStages: Object.fromEntries(secret.versions.map(({ id, stages }) => [id, stages])),
  }));
  const next = from + page.length;
  return { SecretList: page, ...(next < all.length ? { NextToken: String(next) } : {}) };
}

function summaryOf({ arn, name, createdAt, changedAt }: Secret): object {
  return { ARN: arn, Name: name, CreatedDate: createdAt / 1000, LastChangedDate: changedAt / 1000 };
}

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new SecretsError('ValidationException', z.prettifyError(parsed.error));
}
