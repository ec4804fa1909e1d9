import type { Email } from '../../shared/domain/email.ts';
import type { EmailList, EmailPage } from '../../shared/ports/email-list.ts';
import type { EmailStore, Inserted, Saved } from '../../shared/ports/email-store.ts';

/** One write, as a stream would show it. */
export interface Written {
  readonly before: Email | undefined;
  readonly after: Email;
}

/** Held to the contract of the DynamoDB store by test/conformance/email-store. */
export class MemoryEmailStore implements EmailStore, EmailList {
  readonly written: Written[] = [];
  private readonly items = new Map<string, Email>();

  constructor(...emails: Email[]) {
    for (const email of emails) this.items.set(email.outboxId, stored(email));
  }

  insert(email: Email): Promise<Inserted> {
    const existing = this.items.get(email.outboxId);
    if (existing) return Promise.resolve({ inserted: false, existing: stored(existing) });
    this.write(undefined, email);
    return Promise.resolve({ inserted: true });
  }

  get(outboxId: string): Promise<Email | undefined> {
    return Promise.resolve(this.find(outboxId));
  }

  save(email: Email): Promise<Saved> {
    const current = this.find(email.outboxId);
    if (current?.rev !== email.rev - 1) return Promise.resolve({ saved: false, current });
    this.write(current, email);
    return Promise.resolve({ saved: true });
  }

  list({ ownerKey, from, until, after, limit }: EmailPage): ReturnType<EmailList['list']> {
    const owned = this.all()
      .filter((email) => email.ownerKey === ownerKey)
      .filter(({ createdKey }) => createdKey >= (from ?? '0') && createdKey <= `${until ?? '9'}~`)
      .filter(({ createdKey }) => after === undefined || createdKey < after)
      .sort((a, b) => (a.createdKey < b.createdKey ? 1 : -1));
    const emails = owned.slice(0, limit);
    const last = owned.length > limit ? emails.at(-1)?.createdKey : undefined;
    return Promise.resolve({ emails, ...(last !== undefined && { last }) });
  }

  /** What a test may look at without waiting. */
  find(outboxId: string): Email | undefined {
    const email = this.items.get(outboxId);
    return email && stored(email);
  }

  one(outboxId: string): Email {
    const email = this.find(outboxId);
    if (!email) throw new Error(`there is no mail ${outboxId}`);
    return email;
  }

  all(): Email[] {
    return [...this.items.values()].map(stored);
  }

  /** The stored items themselves, to be read and not kept: copies of thousands of mails take their time. */
  index(): readonly Email[] {
    return [...this.items.values()];
  }

  private write(before: Email | undefined, after: Email): void {
    this.items.set(after.outboxId, stored(after));
    this.written.push({ before, after: stored(after) });
  }
}

/** A copy that nobody else holds, without what is undefined. */
function stored(email: Email): Email {
  return JSON.parse(JSON.stringify(email)) as Email;
}
