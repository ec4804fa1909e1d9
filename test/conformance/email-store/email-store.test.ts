import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Email } from '../../../shared/domain/email.ts';
import { applyCommand, type EmailStore } from '../../../shared/ports/email-store.ts';
import { aCommand } from '../../factories/a-command.ts';
import { anEmail } from '../../factories/an-email.ts';
import { NOW } from '../../factories/moments.ts';
import { dynamoStore, memoryStore, type StoreUnderTest } from './stores-under-test.ts';

describe.each([
  ['in memory', memoryStore],
  ['in DynamoDB', dynamoStore],
])('a store of mails %s', (_, start) => {
  let running: StoreUnderTest;
  let store: EmailStore;
  beforeAll(async () => {
    running = await start();
    store = running.store;
  });
  afterAll(() => running.close());

  const fresh = (overrides: Partial<Email> = {}) => anEmail({ outboxId: randomUUID(), ...overrides });
  async function stored(overrides: Partial<Email> = {}): Promise<Email> {
    const email = fresh(overrides);
    await store.insert(email);
    return email;
  }

  it('gives back what was inserted', async () => {
    const email = await stored({
      cc: ['a@example.com'],
      headers: { 'X-Order': '7' },
      events: [{ type: 'HELD', at: 'now', meta: { backoffDelay: 0.5, nested: { list: [1, null, false] } } }],
    });
    expect(await store.get(email.outboxId)).toEqual(email);
  });

  it('does not have what was never inserted', async () => {
    expect(await store.get(randomUUID())).toBeUndefined();
  });

  it('keeps no attribute that is undefined', async () => {
    const email = await stored();
    await store.insert({ ...email, outboxId: randomUUID() });
    const odd = { ...fresh(), errorCode: undefined } as unknown as Email;
    await store.insert(odd);
    expect(await store.get(odd.outboxId)).not.toHaveProperty('errorCode');
  });

  it('the first insert wins, and comes back', async () => {
    const first = await stored({ subject: 'first' });
    expect(await store.insert({ ...first, subject: 'second' })).toEqual({ inserted: false, existing: first });
    expect(await store.get(first.outboxId)).toEqual(first);
  });

  it('of many inserts at once exactly one wins', async () => {
    const email = fresh();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) => store.insert({ ...email, subject: `number ${i}` })),
    );
    const winner = results.findIndex(({ inserted }) => inserted);
    expect(results.filter(({ inserted }) => inserted)).toHaveLength(1);
    expect(await store.get(email.outboxId)).toMatchObject({ subject: `number ${winner}` });
  });

  it('saves what follows what is there', async () => {
    const email = await stored();
    const next: Email = { ...email, rev: 2, status: 'SENT' };
    expect(await store.save(next)).toEqual({ saved: true });
    expect(await store.get(email.outboxId)).toEqual(next);
  });

  it('a save replaces the whole item: what is not in it is gone', async () => {
    const email = await stored({ errorCode: 'SES_TIMEOUT', nextAttemptAt: 'later' });
    const { errorCode, nextAttemptAt, ...rest } = email;
    expect([errorCode, nextAttemptAt]).toEqual(['SES_TIMEOUT', 'later']);
    await store.save({ ...rest, rev: 2 });
    expect(await store.get(email.outboxId)).toEqual({ ...rest, rev: 2 });
  });

  it.each([
    ['the same', 1],
    ['an older', 0],
    ['one too new', 3],
  ])('does not save over %s revision, and tells what is there', async (_name, rev) => {
    const email = await stored();
    expect(await store.save({ ...email, rev, status: 'SENT' })).toEqual({ saved: false, current: email });
    expect(await store.get(email.outboxId)).toEqual(email);
  });

  it('of many saves at once exactly one is written', async () => {
    const email = await stored();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) => store.save({ ...email, rev: 2, subject: `number ${i}` })),
    );
    const winner = results.findIndex(({ saved }) => saved);
    expect(results.filter(({ saved }) => saved)).toHaveLength(1);
    expect(await store.get(email.outboxId)).toMatchObject({ rev: 2, subject: `number ${winner}` });
    for (const result of results)
      if (!result.saved) expect(result.current).toMatchObject({ rev: 2, subject: `number ${winner}` });
  });

  it('does not save what is not there', async () => {
    const email = fresh({ rev: 2 });
    expect(await store.save(email)).toEqual({ saved: false, current: undefined });
    expect(await store.get(email.outboxId)).toBeUndefined();
  });

  it('what was handed over or given out is not what is stored', async () => {
    const events: { type: 'DUE'; at: string }[] = [];
    const email = await stored({ events });
    events.push({ type: 'DUE', at: 'now' });
    const read = (await store.get(email.outboxId)) as unknown as { events: unknown[] };
    expect(read.events).toEqual([]);
    read.events.push('scribble');
    expect(await store.get(email.outboxId)).toMatchObject({ events: [] });
  });

  it('of two senders who claim at once one wins, and the other sees the claim', async () => {
    const email = await stored();
    const claim = () =>
      applyCommand(store, email, aCommand('CLAIM'), {
        now: () => NOW,
        unless: (current) => current.rev !== email.rev,
      });
    const outcomes = (await Promise.all([claim(), claim()])).map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual(['applied', 'overtaken']);
    expect(await store.get(email.outboxId)).toMatchObject({ status: 'SENT_ATTEMPT', attempts: 1, rev: 2 });
  });
});
