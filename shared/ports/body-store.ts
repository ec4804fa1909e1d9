import type { MailBody } from '../domain/body.ts';

export interface BodyStore {
  /** Content-addressed, so putting the same body again changes nothing. Returns the htmlRef. */
  put(owner: { companyId: string; outboxId: string; expiresAt: string }, body: MailBody): Promise<string>;
}
