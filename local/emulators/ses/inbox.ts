import { join } from 'node:path';
import { Journal } from '../../journal.ts';
import { sameAddress, type AcceptedMail } from './mail.ts';

const MAX_MAILS = 100_000;
/** The inbox lives in memory too, and a hundred thousand mails of 512 KB would not fit. */
const MAX_CHARACTERS = 256 * 1024 * 1024;

export interface InboxFilter {
  readonly to?: string | undefined;
  readonly tags: ReadonlyMap<string, string>;
}

/** The mails SES accepted, oldest first; the oldest make room when there are too many. */
export class Inbox {
  private readonly mails: Journal<AcceptedMail>;
  private characters = 0;

  constructor(
    dataDir: string,
    private readonly maxMails = MAX_MAILS,
  ) {
    this.mails = Journal.open(join(dataDir, 'inbox.journal'));
    for (const [, mail] of this.mails.entries()) this.characters += bodyLength(mail);
  }

  add(mail: AcceptedMail): void {
    this.mails.set(mail.messageId, mail);
    this.characters += bodyLength(mail);
    if (this.mails.size <= this.maxMails && this.characters <= MAX_CHARACTERS) return;
    // A hundredth at once: finding the oldest entry of a big map anew for every mail would be slow.
    const size = Math.floor(this.maxMails * 0.99);
    this.dropOldestUntil(() => this.mails.size <= size && this.characters <= MAX_CHARACTERS);
  }

  list(filter: InboxFilter = { tags: new Map() }): AcceptedMail[] {
    const found: AcceptedMail[] = [];
    for (const [, mail] of this.mails.entries()) if (matches(mail, filter)) found.push(mail);
    return found;
  }

  clear(): void {
    this.dropOldestUntil(() => this.mails.size === 0);
  }

  close(): void {
    this.mails.close();
  }

  private dropOldestUntil(isEnough: () => boolean): void {
    for (const [messageId, mail] of this.mails.entries()) {
      if (isEnough()) return;
      this.characters -= bodyLength(mail);
      this.mails.delete(messageId);
    }
  }
}

function bodyLength(mail: AcceptedMail): number {
  return (mail.html?.length ?? 0) + (mail.text?.length ?? 0);
}

function matches(mail: AcceptedMail, filter: InboxFilter): boolean {
  const { to, tags } = filter;
  if (to !== undefined && !mail.to.some((address) => sameAddress(address, to))) return false;
  return [...tags].every(([name, value]) => mail.tags[name] === value);
}
