import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Inbox } from '../../../local/emulators/ses/inbox.ts';
import { aMailTo, aSimpleMail, useSes } from './ses-fixture.ts';

describe('SES inbox', () => {
  const ses = useSes();

  it('lists the newest mail last', async () => {
    const ids = [await ses().send(), await ses().send(), await ses().send()];
    expect((await ses().inbox()).map((mail) => mail.messageId)).toEqual(ids);
  });

  it('finds mails by recipient, whatever the case and the display name', async () => {
    await ses().send(aMailTo('Ana <ana@example.com>'));
    await ses().send(aMailTo('bo@example.com'));
    expect((await ses().inbox('?to=ANA@example.com')).map((mail) => mail.to)).toEqual([
      ['Ana <ana@example.com>'],
    ]);
  });

  it('finds mails by tag', async () => {
    for (const Value of ['one', 'two']) {
      await ses().send(aSimpleMail({ EmailTags: [{ Name: 'outboxId', Value }] }));
    }
    expect((await ses().inbox('?tag.outboxId=two')).map((mail) => mail.tags)).toEqual([{ outboxId: 'two' }]);
  });

  it('survives a restart', async () => {
    const id = await ses().send();
    await ses().restart();
    expect((await ses().inbox()).map((mail) => mail.messageId)).toEqual([id]);
  });

  it('stays empty over a restart once it was emptied', async () => {
    await ses().send();
    expect((await ses().control('DELETE', 'inbox')).status).toBe(204);
    expect(await ses().inbox()).toEqual([]);
    await ses().restart();
    expect(await ses().inbox()).toEqual([]);
  });

  it('answers 404 for a control path it does not have', async () => {
    expect((await ses().control('GET', 'outbox')).status).toBe(404);
  });

  it('lets the oldest mails go when it is full', async () => {
    await ses().send();
    const [mail] = await ses().inbox();
    const dataDir = mkdtempSync(join(tmpdir(), 'inbox-'));
    const inbox = new Inbox(dataDir, 100);
    for (let i = 1; i <= 250; i += 1) inbox.add({ ...mail!, messageId: String(i) });
    const kept = inbox.list().map(({ messageId }) => Number(messageId));
    inbox.close();
    rmSync(dataDir, { recursive: true });
    expect(kept.length).toBeGreaterThan(98);
    expect(kept.length).toBeLessThanOrEqual(100);
    expect(kept.at(-1)).toBe(250);
  });
});
