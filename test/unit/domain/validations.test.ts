import { describe, expect, it } from 'vitest';
import { TEMPLATE_RULES_VERSION } from '../../../shared/domain/template-safety.ts';
import { validateForSending, type Evidence } from '../../../shared/domain/validations.ts';
import { OTHER_COMPANY_ID } from '../../factories/a-company.ts';
import { aJob } from '../../factories/a-job.ts';
import { anEmail } from '../../factories/an-email.ts';
import { aRecipient, RECIPIENT_ID } from '../../factories/a-recipient.ts';
import { iso, NOW } from '../../factories/moments.ts';

const body = (html: string, intact = true) => ({ content: { html }, intact });

function evidence(overrides: Partial<Evidence> = {}): Evidence {
  return {
    email: anEmail(),
    recipient: aRecipient(),
    suppressed: new Set(),
    body: body('<p>Olá</p>'),
    ...overrides,
  };
}

/** Names its recipient by id, so that one must be there. */
const namingRecipient = aJob({ recipient: { recipientId: RECIPIENT_ID, email: 'cliente@example.com' } });

function verdictOn(job = aJob(), given = evidence()): string {
  const validated = validateForSending(job, given);
  return validated.ok ? 'ok' : `${validated.validation} ${validated.code}`;
}

it('lets a good mail through', () => {
  expect(validateForSending(aJob(), evidence())).toEqual({ ok: true, droppedCopies: [] });
  expect(verdictOn(namingRecipient)).toBe('ok');
});

describe('OUTBOX', () => {
  it.each([
    ['no item', undefined],
    ['an item of another company', anEmail({ companyId: OTHER_COMPANY_ID })],
  ])('%s', (_case, email) => {
    expect(verdictOn(aJob(), evidence({ email }))).toBe('OUTBOX OUTBOX_NOT_FOUND');
  });
});

describe('RECIPIENT', () => {
  it.each([
    ['is not there', undefined],
    ['belongs to another company', aRecipient({ companyId: OTHER_COMPANY_ID })],
    ['was deleted', aRecipient({ deletedAt: iso(NOW) })],
    ['has another address', aRecipient({ email: 'outro@example.com' })],
  ])('one that must exist %s', (_case, recipient) => {
    expect(verdictOn(namingRecipient, evidence({ recipient }))).toBe('RECIPIENT RECIPIENT_NOT_FOUND');
  });

  it('compares addresses in one form', () => {
    const recipient = aRecipient({ email: 'Cliente@Example.com' });
    expect(verdictOn(namingRecipient, evidence({ recipient }))).toBe('ok');
  });

  it('one that need not exist may be new, or have moved', () => {
    expect(verdictOn(aJob(), evidence({ recipient: undefined }))).toBe('ok');
    expect(verdictOn(aJob(), evidence({ recipient: aRecipient({ email: 'antigo@example.com' }) }))).toBe(
      'ok',
    );
  });

  it('one that need not exist may still not be a deleted one', () => {
    const recipient = aRecipient({ deletedAt: iso(NOW) });
    expect(verdictOn(aJob(), evidence({ recipient }))).toBe('RECIPIENT RECIPIENT_NOT_FOUND');
  });

  it('is an address', () => {
    expect(verdictOn(aJob({ to: 'nobody' }))).toBe('RECIPIENT INVALID_EMAIL');
  });

  it('is not suppressed, however it is written', () => {
    const suppressed = new Set(['cliente@example.com']);
    expect(verdictOn(aJob(), evidence({ suppressed }))).toBe('RECIPIENT RECIPIENT_SUPPRESSED');
    const shouted = 'Cliente@EXAMPLE.com';
    const job = aJob({ to: shouted, recipient: { externalId: 'x', email: shouted } });
    expect(verdictOn(job, evidence({ suppressed }))).toBe('RECIPIENT RECIPIENT_SUPPRESSED');
  });

  it('suppressed copies are dropped, the others stay', () => {
    const job = aJob({ cc: ['Um@example.com', 'dois@example.com'], bcc: ['tres@example.com'] });
    const suppressed = new Set(['um@example.com', 'tres@example.com', 'outro@example.com']);
    expect(validateForSending(job, evidence({ suppressed }))).toEqual({
      ok: true,
      droppedCopies: ['Um@example.com', 'tres@example.com'],
    });
  });
});

describe('TEMPLATE', () => {
  const changed = (html: string) => verdictOn(aJob(), evidence({ body: body(html, false) }));

  it('is there', () => {
    expect(verdictOn(aJob(), evidence({ body: undefined }))).toBe('TEMPLATE INVALID_TEMPLATE');
  });

  it('has a subject of at most 150', () => {
    expect(verdictOn(aJob({ subject: 's'.repeat(150) }))).toBe('ok');
    expect(verdictOn(aJob({ subject: 's'.repeat(151) }))).toBe('TEMPLATE INVALID_TEMPLATE');
  });

  it.each([
    ['empty', ' '],
    ['too large', 'a'.repeat(524_289)],
    ['with a script', '<script>1</script>'],
    ['with javascript:', '<a href="javascript:1">x</a>'],
    ['with a handler', '<a onclick=1>x</a>'],
  ])('that changed since it was accepted is parsed again: %s', (_case, html) => {
    expect(changed(html)).toBe('TEMPLATE INVALID_TEMPLATE');
    expect(changed('<p>still good</p>')).toBe('ok');
  });

  it('accepted under other rules is parsed again', () => {
    const email = anEmail({ templateRules: TEMPLATE_RULES_VERSION - 1 });
    const given = evidence({ email, body: body('<script>1</script>') });
    expect(verdictOn(aJob(), given)).toBe('TEMPLATE INVALID_TEMPLATE');
  });

  it('that is what the api parsed is not parsed again', () => {
    expect(verdictOn(aJob(), evidence({ body: body('<script>1</script>') }))).toBe('ok');
  });
});

it('OUTBOX comes before RECIPIENT, RECIPIENT before TEMPLATE, and each says why', () => {
  const bad = evidence({ email: undefined, recipient: undefined, body: undefined });
  expect(verdictOn(namingRecipient, bad)).toMatch(/^OUTBOX/);
  expect(verdictOn(namingRecipient, { ...bad, email: anEmail() })).toMatch(/^RECIPIENT/);
  expect(validateForSending(aJob(), { ...bad, email: anEmail() })).toMatchObject({
    validation: 'TEMPLATE',
    reason: 'the HTML is not there',
  });
});
