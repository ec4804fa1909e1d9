import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../shared/domain/api-errors.ts';
import { useGateway, type EmailView } from './gateway.ts';

const gateway = useGateway();

describe('a mail on the whole line', () => {
  it('goes from the endpoint to the inbox, and its timeline tells how', async () => {
    const outboxId = await gateway().accept({ to: 'whole@example.com' });
    const mail = await gateway().untilStatus(outboxId, 'SENT');
    expect(mail.events.map(({ type }) => type)).toEqual(['RECEIVED', 'VALIDATED', 'SENT_ATTEMPT', 'SENT']);
    const [received] = await gateway().inboxOf(outboxId);
    expect(received).toMatchObject({ to: ['whole@example.com'], subject: 'Hello', html: '<p>Hello</p>' });
    expect(mail).toMatchObject({ attempts: 1, sesMessageId: received?.messageId, errorCode: null });
  });

  it('is visible from the first instant', async () => {
    const outboxId = await gateway().accept();
    expect(['PENDING', 'SENT_ATTEMPT', 'SENT']).toContain((await gateway().view(outboxId)).status);
  });

  it('answers 202 with what the mail is called', async () => {
    const answer = await gateway().post(
      { to: 'ana@example.com', subject: 'Hello', html: '<p>Hello</p>' },
      { 'x-request-id': 'order-42' },
    );
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      outboxId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      jobId: answer.body.outboxId,
      requestId: 'order-42',
      status: 'PENDING',
      receivedAt: expect.stringMatching(/Z$/),
    });
    expect(answer.headers.get('x-request-id')).toBe('order-42');
    expect(answer.headers.get('location')).toBe(`/v1/emails/${answer.body.outboxId}`);
  });

  it('arrives byte by byte as it was posted, with everything that was said about it', async () => {
    const html = '<!doctype html><p>Olá, João — “aspas”, 日本語, 😀 &amp; <b>negrito</b></p>\n\t<!-- c -->';
    const outboxId = await gateway().accept({
      to: 'cliente@example.com',
      cc: ['copia@example.com'],
      bcc: ['oculta@example.com'],
      replyTo: 'resposta@example.com',
      subject: 'Seu boleto está disponível ✓ 请查收',
      html,
      text: 'Olá — texto',
      headers: { 'X-Order': '42' },
    });
    await gateway().untilStatus(outboxId, 'SENT');
    expect(await gateway().inboxOf(outboxId)).toEqual([
      expect.objectContaining({
        from: 'no-reply@example.com',
        to: ['cliente@example.com'],
        cc: ['copia@example.com'],
        bcc: ['oculta@example.com'],
        replyTo: ['resposta@example.com'],
        subject: 'Seu boleto está disponível ✓ 请查收',
        html,
        text: 'Olá — texto',
        headers: { 'X-Order': '42' },
        tags: {
          outboxId,
          companyId: gateway().local.ready.companies.demo,
          attempt: '1',
        },
      }),
    ]);
  });

  it('may carry 512 KB of HTML that cannot be compressed', async () => {
    const padding = randomBytes(512 * 1024)
      .toString('base64')
      .slice(0, 512 * 1024 - '<p></p>'.length);
    const html = `<p>${padding}</p>`;
    const outboxId = await gateway().accept({ html });
    expect((await gateway().item(outboxId))?.htmlRef).toMatch(/^s3:/);
    await gateway().untilStatus(outboxId, 'SENT');
    expect((await gateway().inboxOf(outboxId))[0]?.html).toBe(html);
  });

  it('keeps a small body in DynamoDB', async () => {
    const outboxId = await gateway().accept({ html: '<p>small</p>' });
    expect((await gateway().item(outboxId))?.htmlRef).toMatch(/^dynamodb:/);
  });

  it('belongs to one tenant; to another it does not exist', async () => {
    const { demo, other } = gateway().local.ready.apiKeys;
    const [ofDemo, ofOther] = await Promise.all([
      gateway().accept({ to: 'demo@example.com' }, {}, demo),
      gateway().accept({ to: 'other@example.com' }, {}, other),
    ]);
    await gateway().untilStatus(ofDemo, 'SENT');
    const mine = await gateway().request<EmailView>(`/v1/emails/${ofOther}`, { key: other });
    expect(mine.body.outboxId).toBe(ofOther);
    const theirs = await gateway().request<Problem>(`/v1/emails/${ofOther}`, { key: demo });
    expect(theirs).toMatchObject({ status: 404, body: { code: 'EMAIL_NOT_FOUND' } });
  });

  it('runs the whole line with a test key, and nobody is written to', async () => {
    const outboxId = await gateway().accept({}, {}, gateway().local.ready.apiKeys.test);
    const mail = await gateway().untilStatus(outboxId, 'SENT');
    expect(mail).toMatchObject({ mode: 'test', sesMessageId: `simulated-${outboxId}-1` });
    expect(await gateway().inboxOf(outboxId)).toEqual([]);
  });
});

describe('what is hard to count or to write', () => {
  it('a subject of 150 characters outside the basic plane is sent', async () => {
    const subject = '😀'.repeat(150);
    const outboxId = await gateway().accept({ subject });
    await gateway().untilStatus(outboxId, 'SENT');
    expect((await gateway().inboxOf(outboxId))[0]?.subject).toBe(subject);
  });

  it.each([
    { subject: 'a\ud800' },
    { html: '<p>\ud800</p>' },
    { text: '\ud800' },
    { tags: ['\ud800'] },
    { recipient: { externalId: '\ud800' } },
  ])('half a character is refused: %j', async (half) => {
    const answer = await gateway().post<Problem>({
      to: 'ana@example.com',
      subject: 's',
      html: '<p>x</p>',
      ...half,
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ message: 'must be well-formed Unicode' }] },
    });
  });

  it.each(['   ', 'a\u2028b', 'a\u0085b'])('a subject %j is refused', async (subject) => {
    const answer = await gateway().post<Problem>({ to: 'ana@example.com', subject, html: '<p>x</p>' });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/subject' }] } });
  });
});

describe('a repeated request', () => {
  it('with the same Idempotency-Key is the same mail, once', async () => {
    const headers = { 'idempotency-key': 'invoice-77' };
    const mail = { to: 'ana@example.com', subject: 'Invoice', html: '<p>77</p>' };
    const answers = await Promise.all([1, 2, 3].map(() => gateway().post(mail, headers)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    const ids = new Set(answers.map(({ body }) => body.outboxId));
    expect(ids.size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    expect(replayed).toHaveLength(2);
    const [outboxId = ''] = ids;
    await gateway().untilStatus(outboxId, 'SENT');
    expect(await gateway().inboxOf(outboxId)).toHaveLength(1);
    expect((await gateway().post(mail, headers)).body.status).toBe('SENT');
  });

  it('with the same key and another body is a conflict', async () => {
    const headers = { 'idempotency-key': 'invoice-78' };
    await gateway().accept({ subject: 'One' }, headers);
    const answer = await gateway().post<Problem>(
      { to: 'ana@example.com', subject: 'Two', html: '<p>Hello</p>' },
      headers,
    );
    expect(answer).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_CONFLICT', status: 409 } });
  });
});

describe('a request that is refused', () => {
  const send = (body: unknown, headers = {}, key?: string) => gateway().post<Problem>(body, headers, key);

  it.each([
    ['no key', null, 'API_KEY_MISSING'],
    ['an unknown key', `eg_live_${'a'.repeat(12)}_${'b'.repeat(40)}`, 'API_KEY_UNKNOWN'],
    ['something that is no key', 'hello', 'API_KEY_UNKNOWN'],
  ])('is told 401 for %s', async (_what, key, code) => {
    const answer = await gateway().request<Problem>('/v1/email/send', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
      key,
    });
    expect(answer).toMatchObject({ status: 401, body: { code, status: 401 } });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  it('hears of every fault at once', async () => {
    const answer = await send({
      to: 'nobody',
      subject: 'a\nb',
      html: '<script>1</script>',
      priority: 11,
      recipient: { cpfCnpj: '111.111.111-11' },
      colour: 'red',
    });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 'VALIDATION_FAILED', requestId: expect.any(String) });
    expect(answer.body.errors?.map(({ pointer }) => pointer).sort()).toEqual([
      '/colour',
      '/html',
      '/priority',
      '/recipient/cpfCnpj',
      '/subject',
      '/to',
    ]);
  });

  it.each([
    ['broken JSON', '{', {}, 400, 'MALFORMED_JSON'],
    ['another content type', '{}', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a bad Idempotency-Key', '{}', { 'idempotency-key': 'a b' }, 400, 'INVALID_IDEMPOTENCY_KEY'],
    ['5 MB', JSON.stringify({ html: 'x'.repeat(5_000_000) }), {}, 413, 'BODY_TOO_LARGE'],
  ])('is told what is wrong: %s', async (_what, body, headers, status, code) => {
    expect(await send(body, headers)).toMatchObject({ status, body: { code, status } });
  });

  it('is told which methods a path has', async () => {
    const answer = await gateway().request<Problem>('/v1/email/send', { method: 'GET' });
    expect(answer).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
    expect(answer.headers.get('allow')).toBe('POST');
    expect(await gateway().request<Problem>('/v1/nothing')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });

  it('leaves nothing behind', async () => {
    const headers = { 'idempotency-key': 'refused-1' };
    expect((await send({ to: 'nobody' }, headers)).status).toBe(422);
    expect(
      (await gateway().post({ to: 'ana@example.com', subject: 'Now', html: '<p>ok</p>' }, headers)).status,
    ).toBe(202);
  });
});

it('GET /health needs no key', async () => {
  expect(await gateway().request('/health', { key: null })).toMatchObject({
    status: 200,
    body: { status: 'ok' },
  });
});
