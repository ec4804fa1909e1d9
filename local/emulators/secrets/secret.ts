import { SecretsError } from './errors.ts';

export const CURRENT = 'AWSCURRENT';
const PREVIOUS = 'AWSPREVIOUS';

/** `binary` is base64, as it travels. */
export type SecretValue = { readonly string: string } | { readonly binary: string };

export interface SecretVersion {
  readonly id: string;
  readonly value: SecretValue;
  readonly stages: readonly string[];
  readonly createdAt: number;
}

export interface Secret {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly versions: readonly SecretVersion[];
}

/**
 * The secret with one more version. Each staging label is on one version only, and the one that stops being current
 * becomes the previous one. Versions without a label are forgotten, as Secrets Manager does sooner or later.
 */
export function withVersion(secret: Secret, added: SecretVersion): Secret {
  const present = secret.versions.find(({ id }) => id === added.id);
  if (present) {
    if (JSON.stringify(present.value) === JSON.stringify(added.value)) return secret;
    throw new SecretsError(
      'ResourceExistsException',
      `You can't use ClientRequestToken ${added.id} because that value is already in use for a version of secret ${secret.arn}.`,
    );
  }
  const replacesCurrent = added.stages.includes(CURRENT);
  const taken = new Set([...added.stages, ...(replacesCurrent ? [PREVIOUS] : [])]);
  const older = secret.versions.map((version) => ({
    ...version,
    stages: [
      ...version.stages.filter((stage) => !taken.has(stage)),
      ...(replacesCurrent && version.stages.includes(CURRENT) ? [PREVIOUS] : []),
    ],
  }));
  const versions = [...older.filter(({ stages }) => stages.length > 0), added];
  return { ...secret, versions, changedAt: added.createdAt };
}

export function findVersion(
  secret: Secret,
  wanted: { readonly id?: string | undefined; readonly stage?: string | undefined },
): SecretVersion {
  if (wanted.id === undefined) {
    const stage = wanted.stage ?? CURRENT;
    const version = secret.versions.find(({ stages }) => stages.includes(stage));
    return version ?? notFound(`staging label: ${stage}`);
  }
  const version = secret.versions.find(({ id }) => id === wanted.id) ?? notFound(`VersionId: ${wanted.id}`);
  if (wanted.stage !== undefined && !version.stages.includes(wanted.stage)) {
    throw new SecretsError(
      'InvalidRequestException',
      'You provided a VersionStage that is not associated to the provided VersionId.',
    );
  }
  return version;
}

function notFound(what: string): never {
  throw new SecretsError(
    'ResourceNotFoundException',
    `Secrets Manager can't find the specified secret value for ${what}`,
  );
}
