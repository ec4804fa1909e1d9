import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatBodyRef,
  LARGEST_INLINE_BODY,
  parseBody,
  parseBodyRef,
  serialiseBody,
  sha256,
  type BodyRef,
} from '../../../shared/domain/body.ts';
import { COMPANY_ID } from '../../factories/a-company.ts';
import { OUTBOX_ID } from '../../factories/an-email.ts';

const HASH = '0123456789abcdef'.repeat(4);

describe('a reference to a body', () => {
  it.each<[string, BodyRef]>([
    [`dynamodb:${OUTBOX_ID}:${HASH}`, { store: 'dynamodb', outboxId: OUTBOX_ID, sha256: HASH }],
    [
      `s3:${COMPANY_ID}/${OUTBOX_ID}/${HASH}`,
      { store: 's3', key: `${COMPANY_ID}/${OUTBOX_ID}/${HASH}`, sha256: HASH },
    ],
  ])('%s says where it is', (text, ref) => {
    expect(formatBodyRef(ref)).toBe(text);
    expect(parseBodyRef(text)).toEqual(ref);
  });

  it.each([
    [''],
    ['123e4567-e89b-12d3-a456-426614174000'],
    [`dynamodb:${OUTBOX_ID}`],
    [`dynamodb::${HASH}`],
    [`dynamodb:${OUTBOX_ID}:${HASH.slice(1)}`],
    [`dynamodb:${OUTBOX_ID}:${HASH.toUpperCase()}`],
    [`dynamodb:${OUTBOX_ID}:${HASH}0`],
    [`s3:${HASH}`],
    [`s3:${COMPANY_ID}/${OUTBOX_ID}/x`],
    [`ftp:${OUTBOX_ID}:${HASH}`],
  ])('"%s" is none', (text) => {
    expect(parseBodyRef(text)).toBeUndefined();
  });
});

describe('a body', () => {
  it('comes back as it went', () => {
    fc.assert(
      fc.property(
        fc.record({ html: fc.string({ unit: 'grapheme' }), text: fc.string() }, { requiredKeys: ['html'] }),
        (body) => {
          expect(parseBody(serialiseBody(body))).toEqual(body);
        },
      ),
    );
  });

  it('has the same bytes, so the same hash, however its object was made', () => {
    const bytes = serialiseBody({ html: '<p>Olá</p>', text: 'Olá' });
    expect(serialiseBody({ text: 'Olá', html: '<p>Olá</p>' })).toEqual(bytes);
    expect(serialiseBody({ html: '<p>Olá</p>' })).not.toEqual(bytes);
  });

  it('is known by its SHA-256', () => {
    expect(sha256(Buffer.from('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it('moves to S3 above 8 KB', () => {
    expect(LARGEST_INLINE_BODY).toBe(8192);
  });
});
