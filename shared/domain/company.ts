import type { Mode } from './email.ts';

export interface Company {
  readonly companyId: string;
  readonly name: string;
  /** Sender address; the deploy's default if absent. */
  readonly from?: string;
  /** 1–8: a company's weight. */
  readonly bulkLanes: number;
  readonly suspended: boolean;
}

export interface ApiKeyRecord {
  readonly keyId: string;
  readonly companyId: string;
  readonly mode: Mode;
  readonly hash: string;
  readonly hashVersion: number;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  readonly allowedIps?: readonly string[];
}

/** An address that a company no longer writes to. */
export interface Suppression {
  readonly companyId: string;
  /** Normalised. */
  readonly address: string;
  readonly reason: 'BOUNCE' | 'COMPLAINT' | 'MANUAL';
  /** The mail that taught us. */
  readonly outboxId?: string;
  readonly createdAt: string;
}

export interface Recipient {
  readonly recipientId: string;
  readonly companyId: string;
  readonly email: string;
  readonly externalId?: string;
  readonly cpfCnpjHash?: string;
  readonly razaoSocial?: string;
  readonly nome?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt?: string;
}
