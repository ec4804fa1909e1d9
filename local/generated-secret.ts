import { randomInt } from 'node:crypto';

/** The GenerateSecretString property of AWS::SecretsManager::Secret. */
export interface GenerateSecretString {
  readonly SecretStringTemplate?: string;
  readonly GenerateStringKey?: string;
  readonly PasswordLength?: number;
  readonly ExcludePunctuation?: boolean;
}

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const PUNCTUATION = '!#$%&()*+,-./:;<=>?@[]^_{|}~';

export function generateSecret(rules: GenerateSecretString): string {
  const alphabet = rules.ExcludePunctuation ? LETTERS_AND_DIGITS : LETTERS_AND_DIGITS + PUNCTUATION;
  const password = Array.from({ length: rules.PasswordLength ?? 32 }, () =>
    alphabet.charAt(randomInt(alphabet.length)),
  ).join('');
  if (rules.SecretStringTemplate === undefined || rules.GenerateStringKey === undefined) return password;
  const template = JSON.parse(rules.SecretStringTemplate) as Record<string, unknown>;
  return JSON.stringify({ ...template, [rules.GenerateStringKey]: password });
}
