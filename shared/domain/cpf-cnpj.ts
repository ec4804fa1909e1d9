import type { Keyring } from './keyring.ts';
import { keyedHash } from './keyring.ts';

/** CPF: 11 digits. CNPJ: 12 digits or, since July 2026, upper-case letters and digits, then 2 check digits. */
const CPF = /^\d{11}$/;
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;

/** Without punctuation, upper case; undefined if it is neither a CPF nor a CNPJ with right check digits. */
export function normaliseCpfCnpj(text: string): string | undefined {
  const bare = text.replace(/[\s./-]/g, '').toUpperCase();
  if (/^(.)\1*$/.test(bare)) return undefined;
  if (CPF.test(bare)) return hasCheckDigits(bare, 9, cpfWeights) ? bare : undefined;
  if (CNPJ.test(bare)) return hasCheckDigits(bare, 12, cnpjWeights) ? bare : undefined;
  return undefined;
}

/** 64 hex characters. The company is part of what is hashed, so two tenants cannot join their customers. */
export function hashCpfCnpj(
  keyring: Keyring,
  companyId: string,
  normalised: string,
  version?: number,
): string {
  return keyedHash(keyring, 'cpf-cnpj', JSON.stringify([companyId, normalised]), version).hex;
}

const cpfWeights = (length: number) => Array.from({ length }, (_, i) => length + 1 - i);
const cnpjWeights = (length: number) => Array.from({ length }, (_, i) => ((length - 1 - i) % 8) + 2);

function hasCheckDigits(bare: string, bodyLength: number, weights: (length: number) => number[]): boolean {
  const first = checkDigit(bare.slice(0, bodyLength), weights);
  const second = checkDigit(bare.slice(0, bodyLength) + first, weights);
  return bare.endsWith(`${first}${second}`);
}

function checkDigit(body: string, weights: (length: number) => number[]): number {
  // A character's value is its ASCII code less 48, for digits and letters alike (Receita Federal, IN 2.229/2024).
  const sum = weights(body.length).reduce(
    (total, weight, i) => total + weight * (body.charCodeAt(i) - 48),
    0,
  );
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
