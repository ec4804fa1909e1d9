import type { Email } from '../domain/email.ts';

export interface EmailPage {
  readonly ownerKey: string;
  /** Of `createdAt`, both included. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  /** The `createdKey` after which it goes on. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface EmailList {
  /** One page of an owner's mails, newest first. It may be short: `last` says where the next one goes on. */
  list(page: EmailPage): Promise<{ readonly emails: readonly Email[]; readonly last?: string }>;
}
