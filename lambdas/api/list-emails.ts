import type { Email } from '../../shared/domain/email.ts';
import { formatCursor, parseCursor } from '../../shared/domain/cursor.ts';
import { emailFilter, LARGEST_PAGE, type ListQuery } from '../../shared/domain/email-filter.ts';
import type { Keyring } from '../../shared/domain/keyring.ts';
import type { Caller } from '../../shared/domain/new-email.ts';
import type { EmailList } from '../../shared/ports/email-list.ts';

/** A rare match must not keep one request reading for ever: the page ends short, and the cursor goes on. */
const MOST_PAGES_READ = 5;

export type Listing =
  | { readonly ok: true; readonly emails: readonly Email[]; readonly nextCursor: string | null }
  | { readonly ok: false };

export async function listEmails(
  query: ListQuery,
  { companyId, mode }: Pick<Caller, 'companyId' | 'mode'>,
  ports: { readonly emails: EmailList; readonly keyring: Keyring },
): Promise<Listing> {
  const { cursor, limit, ...question } = query;
  const filters = JSON.stringify(question);
  const start = cursor === undefined ? '' : parseCursor(ports.keyring, companyId, filters, cursor);
  if (start === undefined) return { ok: false };

  const matches = emailFilter(query, companyId, ports.keyring);
  const emails: Email[] = [];
  let after: string | undefined = start === '' ? undefined : start;
  for (let pages = 0; pages < MOST_PAGES_READ; pages += 1) {
    const page = await ports.emails.list({
      ownerKey: companyId,
      from: isoDate(query.from),
      until: isoDate(query.until),
      after,
      limit: LARGEST_PAGE,
    });
    for (const email of page.emails) {
      // Test and live mails are two worlds.
      if (email.mode !== mode || !matches(email)) continue;
      emails.push(email);
      if (emails.length === limit) {
        return {
          ok: true,
          emails,
          nextCursor: formatCursor(ports.keyring, companyId, filters, email.createdKey),
        };
      }
    }
    if (page.last === undefined) return { ok: true, emails, nextCursor: null };
    after = page.last;
  }
  return { ok: true, emails, nextCursor: formatCursor(ports.keyring, companyId, filters, after ?? '') };
}

/** As `createdAt` is written, whatever offset the caller used. */
function isoDate(date: string | undefined): string | undefined {
  return date === undefined ? undefined : new Date(date).toISOString();
}
