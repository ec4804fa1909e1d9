import { randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { Journal } from '../../journal.ts';
import { SecretsError } from './errors.ts';
import { CURRENT, withVersion, type Secret, type SecretVersion } from './secret.ts';

const ACCOUNT_ID = '000000000000';
const SUFFIX_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** All secrets of the account, on disk. */
export class Secrets {
  private readonly byName: Journal<Secret>;

  constructor(
    dataDir: string,
    private readonly clock: Clock,
    private readonly region: string,
  ) {
    this.byName = Journal.open(join(dataDir, 'secrets.jsonl'));
  }

  ensure(name: string, generate: () => string): Secret {
    const present = this.byName.get(name);
    if (present) return present;
    const now = this.clock.now();
    const arn = `arn:aws:secretsmanager:${this.region}:${ACCOUNT_ID}:secret:${name}-${randomSuffix()}`;
    const first = { id: randomUUID(), value: { string: generate() }, stages: [CURRENT], createdAt: now };
    const secret = { name, arn, createdAt: now, changedAt: now, versions: [first] };
    this.byName.set(name, secret);
    return secret;
  }

  /** By its name or its ARN, where AWS lets the random end of the ARN be left out. */
  get(secretId: string): Secret {
    const found = this.byName.get(secretId) ?? this.list().find(({ arn }) => names(arn, secretId));
    if (found) return found;
    throw new SecretsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }

  addVersion(secret: Secret, version: Omit<SecretVersion, 'createdAt'>): void {
    const changed = withVersion(secret, { ...version, createdAt: this.clock.now() });
    if (changed !== secret) this.byName.set(secret.name, changed);
  }

  list(): Secret[] {
    return [...this.byName.entries()].map(([, secret]) => secret);
  }

  close(): void {
    this.byName.close();
  }
}

function names(arn: string, secretId: string): boolean {
  return secretId === arn || secretId === arn.slice(0, -'-XXXXXX'.length);
}

/** Six characters, so that a secret created anew under the same name is another one to IAM policies. */
function randomSuffix(): string {
  return Array.from({ length: 6 }, () => SUFFIX_ALPHABET.charAt(randomInt(SUFFIX_ALPHABET.length))).join('');
}
