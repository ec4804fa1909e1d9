import { describe, expect, it } from 'vitest';
import { checkSendRequest } from '../../../shared/domain/send-request.ts';
import { aSendBody, aSendRequest } from '../../factories/a-send-request.ts';
import { DAY, iso, MINUTE, NOW } from '../../factories/moments.ts';

function pointersOf(body: unknown): string[] {
  const checked = checkSendRequest(body, NOW);
  return checked.ok ? [] : checked.faults.map((fault) => fault.pointer);
}

const addresses = (count: number) => Array.from({ length: count }, (_, n) => `copia${n}@example.com`);
const headers = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-Header-${n}`, 'value']));
const htmlOf = (bytes: number) => `<p>${'é'.repeat((bytes - 4) / 2)}\n`;
const recipient = (fields: Record<string, unknown>) => ({ recipient: fields });
const dedupe = { aggregateType: 'order', aggregateId: '1', eventType: 'paid' };

it('the smallest request gets its defaults, and nothing else', () => {
  expect(aSendRequest()).toEqual({ ...aSendBody(), priority: 5, onInDoubt: 'resend' });
});

it('takes everything there is', () => {
  const body = aSendBody({
    cc: addresses(5),
    bcc: addresses(5),
    text: 'Olá',
    replyTo: 'contato@example.com',
    headers: { 'X-Order': '1' },
    tags: ['boleto'],
    recipient: { externalId: 'CUST-1', cpfCnpj: '529.982.247-25', razaoSocial: 'Exemplo Ltda', nome: 'Ana' },
    priority: 1,
    sendAt: '2026-03-10T10:00:00-03:00',
    ttlSeconds: 600,
    dedupe,
    onInDoubt: 'fail',
  });
  expect(aSendRequest(body)).toEqual(body);
});

describe('every limit, at its edge and beyond', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    ['cc', { cc: addresses(5) }, { cc: addresses(6) }, '/cc'],
    ['bcc', { bcc: addresses(5) }, { bcc: addresses(6) }, '/bcc'],
    ['a subject', { subject: 's' }, { subject: '' }, '/subject'],
    ['a long subject', { subject: 's'.repeat(150) }, { subject: 's'.repeat(151) }, '/subject'],
    ['html', { html: htmlOf(524_288) }, { html: htmlOf(524_290) }, '/html'],
    ['html with something in it', { html: '.' }, { html: ' \n' }, '/html'],
    ['text', { text: 't'.repeat(524_288) }, { text: 't'.repeat(524_289) }, '/text'],
    ['headers', { headers: headers(10) }, { headers: headers(11) }, '/headers'],
    [
      'a header',
      { headers: { 'X-A': 'v'.repeat(870) } },
      { headers: { 'X-A': 'v'.repeat(871) } },
      '/headers/X-A',
    ],
    ['tags', { tags: Array(5).fill('t') }, { tags: Array(6).fill('t') }, '/tags'],
    ['a tag', { tags: ['t'.repeat(50)] }, { tags: ['t'.repeat(51)] }, '/tags/0'],
    ['a low priority', { priority: 10 }, { priority: 11 }, '/priority'],
    ['a high priority', { priority: 1 }, { priority: 0 }, '/priority'],
    ['a priority that counts', { priority: 4 }, { priority: 4.5 }, '/priority'],
    ['a short life', { ttlSeconds: 60 }, { ttlSeconds: 59 }, '/ttlSeconds'],
    ['a long life', { ttlSeconds: 86_400 }, { ttlSeconds: 86_401 }, '/ttlSeconds'],
    ['a choice in doubt', { onInDoubt: 'fail' }, { onInDoubt: 'maybe' }, '/onInDoubt'],
    [
      'a document',
      recipient({ cpfCnpj: '52998224725' }),
      recipient({ cpfCnpj: '52998224724' }),
      '/recipient/cpfCnpj',
    ],
    [
      'an external id',
      recipient({ externalId: 'x' }),
      recipient({ externalId: '' }),
      '/recipient/externalId',
    ],
    [
      'a long external id',
      recipient({ externalId: 'x'.repeat(128) }),
      recipient({ externalId: 'x'.repeat(129) }),
      '/recipient/externalId',
    ],
    [
      'a company name',
      recipient({ razaoSocial: 'x'.repeat(150) }),
      recipient({ razaoSocial: 'x'.repeat(151) }),
      '/recipient/razaoSocial',
    ],
    ['a name', recipient({ nome: 'x'.repeat(120) }), recipient({ nome: 'x'.repeat(121) }), '/recipient/nome'],
    ['a business event', { dedupe }, { dedupe: { ...dedupe, aggregateId: '' } }, '/dedupe/aggregateId'],
    ['a reply address', { replyTo: 'a@example.com' }, { replyTo: 'a@example' }, '/replyTo'],
    ['a copy', { cc: ['a@example.com'] }, { cc: ['a@example.com', 'b'] }, '/cc/1'],
    ['a recipient', { to: 'a@example.com' }, { to: 'Ana <a@example.com>' }, '/to'],
  ])('%s', (_case, good, bad, pointer) => {
    expect(pointersOf(aSendBody(good))).toEqual([]);
    expect(pointersOf(aSendBody(bad))).toEqual([pointer]);
  });

  it('an address has at most 254 characters', () => {
    const to = `${'l'.repeat(64)}@${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(57)}.com`;
    expect(pointersOf(aSendBody({ to }))).toEqual([]);
    expect(new Set(pointersOf(aSendBody({ to: `${to}m` })))).toEqual(new Set(['/to']));
  });
});

describe('headers', () => {
  it.each([['X-Order'], ['x-order-id'], ['X-1'], ['X-Sesame'], ['X-Amzing'], [`X-${'a'.repeat(124)}`]])(
    '%s is ours to pass on',
    (name) => {
      expect(pointersOf(aSendBody({ headers: { [name]: 'v' } }))).toEqual([]);
    },
  );

  it.each([
    ['Bcc'],
    ['From'],
    ['X'],
    ['X-'],
    ['Sender-X'],
    ['X-SES-CONFIGURATION-SET'],
    ['x-ses-message-tags'],
    ['X-Amz-Date'],
    ['X-A B'],
    ['X-A:B'],
    ['X-A\r\nBcc'],
    ['X-Ação'],
    [`X-${'a'.repeat(125)}`],
  ])('%j is not', (name) => {
    expect(pointersOf(aSendBody({ headers: { [name]: 'v' } }))).toEqual([`/headers/${name}`]);
  });

  it.each([['a\r\nBcc: b@example.com'], ['a\nb'], ['a\u0000b'], ['ação'], ['']])('hold no %j', (value) => {
    expect(pointersOf(aSendBody({ headers: { 'X-A': value } }))).toEqual(['/headers/X-A']);
  });
});

it.each([['a\r\nBcc: b@example.com'], ['a\nb'], ['a\rb'], ['a\tb'], ['a\u007fb']])(
  'no line has line breaks or control characters: %j',
  (text) => {
    const fields = {
      subject: text,
      tags: [text],
      recipient: { nome: text, razaoSocial: text, externalId: text },
    };
    expect(pointersOf(aSendBody(fields))).toEqual([
      '/subject',
      '/tags/0',
      '/recipient/externalId',
      '/recipient/razaoSocial',
      '/recipient/nome',
    ]);
  },
);

describe('sendAt', () => {
  it.each([
    ['in an hour', NOW + 60 * MINUTE],
    ['five minutes ago, which is now', NOW - 5 * MINUTE],
    ['30 days ahead', NOW + 30 * DAY],
  ])('may be %s', (_case, at) => {
    expect(pointersOf(aSendBody({ sendAt: iso(at) }))).toEqual([]);
  });

  it.each([
    ['longer ago', iso(NOW - 5 * MINUTE - 1)],
    ['further ahead', iso(NOW + 30 * DAY + 1)],
    ['a local time', '2026-03-10T13:00:00'],
    ['a day', '2026-03-11'],
    ['no date', '2026-02-30T12:00:00Z'],
    ['words', 'tomorrow'],
    ['a number', NOW],
  ])('may not be %s', (_case, sendAt) => {
    expect(pointersOf(aSendBody({ sendAt }))).toEqual(['/sendAt']);
  });
});

it('tells every fault at once, each with where it is', () => {
  const body = aSendBody({
    to: 'nobody',
    subject: '',
    html: '<script>1</script><a href="javascript:1">x</a>',
    recipient: { cpfCnpj: '1', cpf: '1' },
    sendAt: iso(NOW - DAY),
    from: 'me@example.com',
    'a/b~c': 1,
  });
  expect(pointersOf(body).sort()).toEqual(
    [
      '/to',
      '/subject',
      '/html',
      '/html',
      '/recipient/cpfCnpj',
      '/recipient/cpf',
      '/from',
      '/a~1b~0c',
      '/sendAt',
    ].sort(),
  );
});

it('says what a header must be', () => {
  expect(checkSendRequest(aSendBody({ headers: { Bcc: 'b@example.com' } }), NOW)).toMatchObject({
    faults: [{ message: 'must be a header X-… other than X-SES-… and X-Amz-…' }],
  });
});

it('does not repeat a document in its fault', () => {
  const checked = checkSendRequest(aSendBody(recipient({ cpfCnpj: '529.982.247-24' })), NOW);
  expect(JSON.stringify(checked)).not.toContain('529');
});

it.each([[null], [undefined], ['text'], [[]], [42], [{}]])('refuses %o without throwing', (body) => {
  expect(checkSendRequest(body, NOW).ok).toBe(false);
});
