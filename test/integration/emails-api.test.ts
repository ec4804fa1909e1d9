import { describe, expect, it } from 'vitest';
import type { Problem } from '../../shared/domain/api-errors.ts';
import { until, useGateway, type EmailView } from './gateway.ts';

const gateway = useGateway();

interface BatchAnswer {
  readonly accepted: number;
  readonly rejected: number;
  readonly results: readonly {
    readonly index: number;
    readonly status: number;
    readonly replayed?: boolean;
    readonly email?: { readonly outboxId: string };
    readonly error?: Problem;
  }[];
}

const batch = (emails: unknown, headers: Record<string, string> = {}) =>
  gateway().request<BatchAnswer>('/v1/email/batch', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ emails }),
  });

const aMail = (more: object = {}) => ({
  to: 'ana@example.com',
  subject: 'Hello',
  html: '<p>Hello</p>',
  ...more,
});

interface Listing {
  readonly emails: readonly EmailView[];
  readonly nextCursor: string | null;
}

const list = (query: Record<string, string> = {}, key?: string) =>
  gateway().request<Listing>(`/v1/emails?${new URLSearchParams(query)}`, key === undefined ? {} : { key });

describe('a batch', () => {
  it('gives each mail a result of its own, in order; the good ones are sent', async () => {
    const answer = await batch([aMail(), aMail({ to: 'nobody', priority: 99 }), aMail(), 'text']);
    expect(answer.status).toBe(207);
    expect(answer.body).toMatchObject({ accepted: 2, rejected: 2 });
    expect(answer.body.results.map(({ index, status }) => [index, status])).toEqual([
      [0, 202],
      [1, 422],
      [2, 202],
      [3, 422],
    ]);
    expect(answer.body.results[1]?.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/to' }, { pointer: '/priority' }],
    });
    for (const { email } of answer.body.results) {
      if (email) await gateway().untilStatus(email.outboxId, 'SENT');
    }
  });

  it('takes a hundred, and says why it takes no more and no fewer than one', async () => {
    const hundred = await batch(Array.from({ length: 100 }, (_, i) => aMail({ to: `n${i}@example.com` })));
    expect(hundred.body).toMatchObject({ accepted: 100, rejected: 0 });
    for (const emails of [Array.from({ length: 101 }, () => aMail()), [], 'none']) {
      expect(await batch(emails)).toMatchObject({ status: 422, body: { errors: [{ pointer: '/emails' }] } });
    }
  });

  it('can be repeated as a whole: what was written is replayed, what was refused can be mended', async () => {
    const headers = { 'idempotency-key': 'march-run' };
    const first = await batch([aMail({ subject: '1' }), aMail({ to: 'broken' })], headers);
    const second = await batch([aMail({ subject: '1' }), aMail({ to: 'mended@example.com' })], headers);
    expect(second.body.results.map(({ status, replayed }) => [status, replayed])).toEqual([
      [202, true],
      [202, false],
    ]);
    expect(second.body.results[0]?.email?.outboxId).toBe(first.body.results[0]?.email?.outboxId);
    const conflict = await batch([aMail({ subject: 'another' })], headers);
    expect(conflict.body.results[0]).toMatchObject({ status: 409, error: { code: 'IDEMPOTENCY_CONFLICT' } });
    // The key of a batch and the same key of a single mail have nothing to do with each other.
    expect(
      (await gateway().post(aMail({ subject: '1' }), headers)).headers.get('idempotent-replayed'),
    ).toBeNull();
  });
});

describe('a test key', () => {
  it('has keys, events and lists of its own: a rehearsal does not swallow the real mail', async () => {
    const { demo, test } = gateway().local.ready.apiKeys;
    const headers = { 'idempotency-key': 'rehearsed' };
    const dedupe = { aggregateType: 'order', aggregateId: '7', eventType: 'shipped' };
    const requests: [object, Record<string, string>][] = [
      [aMail({ tags: ['rehearsed'] }), headers],
      [aMail({ tags: ['rehearsed'], dedupe }), {}],
    ];
    for (const [mail, more] of requests) {
      const rehearsal = await gateway().post(mail, more, test);
      const real = await gateway().post(mail, more, demo);
      expect(real.headers.get('idempotent-replayed')).toBeNull();
      expect(real.body.outboxId).not.toBe(rehearsal.body.outboxId);
      await gateway().untilStatus(real.body.outboxId, 'SENT');
      expect(await gateway().inboxOf(real.body.outboxId)).toHaveLength(1);
    }
    expect((await list({ tag: 'rehearsed' }, test)).body.emails.map(({ mode }) => mode)).toEqual([
      'test',
      'test',
    ]);
    expect((await list({ tag: 'rehearsed' }, demo)).body.emails.map(({ mode }) => mode)).toEqual([
      'live',
      'live',
    ]);
  });
});

describe('the list of mails', () => {
  it('is newest first, page by page, without gaps or repeats', async () => {
    const tag = 'paged';
    const ids: string[] = [];
    for (let i = 0; i < 7; i += 1) ids.push(await gateway().accept({ tags: [tag] }));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Listing = (await list({ tag, limit: '3', ...(cursor !== null && { cursor }) })).body;
      expect(page.emails.length).toBeLessThanOrEqual(3);
      seen.push(...page.emails.map(({ outboxId }) => outboxId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids.toReversed());
  });

  it('filters by status, address, external id, tag, document and date', async () => {
    const cpfCnpj = '529.982.247-25';
    const outboxId = await gateway().accept({
      to: 'Filtered@Example.com',
      tags: ['invoice', 'march'],
      recipient: { externalId: 'CUST-77', cpfCnpj },
    });
    await gateway().untilStatus(outboxId, 'SENT');
    const { receivedAt } = await gateway().view(outboxId);
    const ids = async (query: Record<string, string>) =>
      (await list(query)).body.emails.map(({ outboxId: id }) => id);
    for (const query of [
      { to: 'filtered@example.com' },
      { externalId: 'CUST-77' },
      { tag: 'march' },
      { cpfCnpj: '52998224725' },
      { cpfCnpj, status: 'SENT,DELIVERED' },
      { from: receivedAt, until: receivedAt, externalId: 'CUST-77' },
    ]) {
      expect([query, await ids(query)]).toEqual([query, [outboxId]]);
    }
    expect(await ids({ externalId: 'CUST-77', status: 'FAILED,BOUNCED' })).toEqual([]);
    expect(
      await ids({ externalId: 'CUST-77', from: new Date(Date.parse(receivedAt) + 1).toISOString() }),
    ).toEqual([]);
  });

  it("shows nobody else's mails, and takes nobody else's cursor", async () => {
    const { demo, other } = gateway().local.ready.apiKeys;
    await gateway().accept({ tags: ['mine'] }, {}, other);
    await until(
      async () => (await list({}, other)).body.emails.length,
      (count) => count > 0,
    );
    expect((await list({ tag: 'mine' }, demo)).body.emails).toEqual([]);
    await gateway().accept();
    const { nextCursor } = (await list({ limit: '1' }, demo)).body;
    expect(nextCursor).toEqual(expect.any(String));
    const asked = (cursor: string, key: string, more = {}) => list({ cursor, ...more }, key);
    for (const answer of [
      await asked(nextCursor ?? '', other),
      await asked('hello', demo),
      await asked(`${nextCursor}x`.replace(/^./, 'A'), demo),
      await asked(nextCursor ?? '', demo, { tag: 'another-question' }),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
    }
  });

  it('says what is wrong with a question', async () => {
    expect(await list({ from: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/until' }] },
    });
    const answer = await list({ status: 'GONE', limit: '1000', cpfCnpj: '1', colour: 'red' });
    expect(answer.status).toBe(422);
    const { errors } = answer.body as unknown as Problem;
    expect(errors?.map(({ pointer }) => pointer).sort()).toEqual([
      '/colour',
      '/cpfCnpj',
      '/limit',
      '/status/0',
    ]);
  });
});
