import { describe, expect, it } from 'vitest';
import { hashCpfCnpj } from '../../../shared/domain/cpf-cnpj.ts';
import type { Email } from '../../../shared/domain/email.ts';
import { jobFromEmail } from '../../../shared/domain/job-from-email.ts';
import { newEmail, outboxIdFor } from '../../../shared/domain/new-email.ts';
import { deriveOutboxId } from '../../../shared/domain/outbox-id.ts';
import { defaultExternalId, recipientIdFor } from '../../../shared/domain/recipient-id.ts';
import { COMPANY_ID } from '../../factories/a-company.ts';
import { aKeyring } from '../../factories/a-keyring.ts';
import { HTML_REF, OUTBOX_ID } from '../../factories/an-email.ts';
import { aSendRequest } from '../../factories/a-send-request.ts';
import { DAY, HOUR, iso, MINUTE, NOW } from '../../factories/moments.ts';
import { countingBytes } from '../../factories/random-bytes.ts';

const caller = { companyId: COMPANY_ID, mode: 'live', bulkLanes: 4 } as const;
const accepted = { outboxId: OUTBOX_ID, requestId: 'req-1', htmlRef: HTML_REF, fingerprint: 'v1:f' };

function made(overrides: Record<string, unknown> = {}): Email {
  return newEmail(aSendRequest(overrides), caller, accepted, aKeyring(), NOW);
}

describe('the outboxId', () => {
  const dedupe = { aggregateType: 'order', aggregateId: '7', eventType: 'paid' };
  const idOf = (overrides: Record<string, unknown>, key?: string) =>
    outboxIdFor(aSendRequest(overrides), COMPANY_ID, key, NOW, countingBytes());

  it('comes of the business event, which wins over the header', () => {
    const id = deriveOutboxId(['event', COMPANY_ID, 'order', '7', 'paid']);
    expect(idOf({ dedupe })).toBe(id);
    expect(idOf({ dedupe }, 'key-1')).toBe(id);
  });

  it('comes of the Idempotency-Key', () => {
    expect(idOf({}, 'key-1')).toBe(deriveOutboxId(['idem', COMPANY_ID, 'key-1']));
  });

  it('is new if there is neither', () => {
    expect(idOf({})).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });
});

describe('a mail just accepted', () => {
  it('waits for its first attempt', () => {
    expect(made()).toMatchObject({
      ...accepted,
      kind: 'EMAIL',
      rev: 1,
      companyId: COMPANY_ID,
      mode: 'live',
      status: 'PENDING',
      attempts: 0,
      runs: 1,
      seq: 1,
      holds: 0,
      looks: 0,
      priority: 5,
      lane: 'normal',
      onInDoubt: 'resend',
      createdAt: iso(NOW),
      expiresAt: iso(NOW + DAY),
      sesMessageIds: [],
      ownerKey: COMPANY_ID,
      createdKey: `${iso(NOW)}#${OUTBOX_ID}`,
      worksetAt: iso(NOW + 10 * MINUTE),
    });
    expect(made().worksetKey).toMatch(/^watch#/);
    expect(made()).not.toHaveProperty('purgeAt');
  });

  it('can be sent though it names its recipient by address only', () => {
    const email = made();
    expect(email.recipient).toEqual({
      externalId: defaultExternalId(aKeyring(), COMPANY_ID, 'cliente@example.com'),
      email: 'cliente@example.com',
    });
    expect(() => jobFromEmail(email, NOW)).not.toThrow();
  });

  it('has nothing that was not asked for, and no body', () => {
    const email = made({ cc: [], bcc: [], tags: [], text: 'Olá' });
    for (const absent of ['cc', 'bcc', 'tags', 'headers', 'replyTo', 'sendAt', 'ttlSeconds', 'html', 'text'])
      expect(email).not.toHaveProperty(absent);
    expect(Object.values(email)).not.toContain(undefined);
  });

  it('keeps what was asked for', () => {
    const asked = {
      cc: ['a@example.com'],
      bcc: ['b@example.com'],
      replyTo: 'c@example.com',
      headers: { 'X-Order': '1' },
      tags: ['boleto'],
      onInDoubt: 'fail',
    };
    expect(made(asked)).toMatchObject(asked);
    expect(made({ priority: 2 }).lane).toBe('urgent');
    expect(made({ priority: 8 }).lane).toMatch(/^bulk:[0-3]$/);
  });
});

describe('time', () => {
  it('to come makes it a scheduled mail, that lives from then', () => {
    const email = made({ sendAt: '2026-03-10T11:00:00-03:00' });
    expect(email).toMatchObject({
      status: 'SCHEDULED',
      sendAt: iso(NOW + 2 * HOUR),
      expiresAt: iso(NOW + 2 * HOUR + DAY),
      worksetAt: iso(NOW + 2 * HOUR),
    });
    expect(email.worksetKey).toMatch(/^due#/);
  });

  it.each([[NOW], [NOW - 5 * MINUTE]])('that has come means now: %i', (at) => {
    const email = made({ sendAt: iso(at) });
    expect(email).toMatchObject({ status: 'PENDING', expiresAt: iso(NOW + DAY) });
    expect(email).not.toHaveProperty('sendAt');
  });

  it('to live may be the caller’s choice', () => {
    expect(made({ ttlSeconds: 600 })).toMatchObject({ ttlSeconds: 600, expiresAt: iso(NOW + 10 * MINUTE) });
    expect(made({ ttlSeconds: 300 }).worksetAt).toBe(iso(NOW + 5 * MINUTE));
    expect(made({ ttlSeconds: 60, sendAt: iso(NOW + HOUR) }).expiresAt).toBe(iso(NOW + HOUR + MINUTE));
  });
});

describe('the recipient', () => {
  const cpfCnpj = '529.982.247-25';
  const hash = hashCpfCnpj(aKeyring(), COMPANY_ID, '52998224725');

  it('is known by its document, which is never kept in clear', () => {
    const email = made({ recipient: { cpfCnpj, nome: 'Ana', razaoSocial: 'Exemplo Ltda' } });
    expect(email.recipient).toEqual({
      cpfCnpjHash: hash,
      nome: 'Ana',
      razaoSocial: 'Exemplo Ltda',
      email: 'cliente@example.com',
    });
    expect(email.recipientRef).toBe(recipientIdFor(aKeyring(), COMPANY_ID, { cpfCnpj: '52998224725' }));
    expect(JSON.stringify(email)).not.toMatch(/529\.?982/);
  });

  it('is known by its external id before its document', () => {
    const email = made({ recipient: { cpfCnpj, externalId: 'CUST-1' } });
    expect(email.recipient).toEqual({
      externalId: 'CUST-1',
      cpfCnpjHash: hash,
      email: 'cliente@example.com',
    });
    expect(email.recipientRef).toBe(recipientIdFor(aKeyring(), COMPANY_ID, { externalId: 'CUST-1' }));
  });
});
