import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  deriveOutboxId,
  newOutboxId,
  uuidFromHash,
  type OutboxIdSource,
} from '../../../shared/domain/outbox-id.ts';
import { COMPANY_ID, OTHER_COMPANY_ID } from '../../factories/a-company.ts';
import { NOW } from '../../factories/moments.ts';
import { bytesOf, countingBytes } from '../../factories/random-bytes.ts';

const UUID = (version: number) =>
  new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`);

const source = fc.oneof(
  fc.tuple(fc.constant('idem' as const), fc.string(), fc.string()),
  fc.tuple(fc.constant('event' as const), fc.string(), fc.string(), fc.string(), fc.string()),
  fc.tuple(fc.constant('entry' as const), fc.string(), fc.string()),
  fc.tuple(fc.constant('mailing' as const), fc.string(), fc.string()),
);

describe('a derived id', () => {
  it('is a UUIDv5', () => {
    fc.assert(fc.property(source, (from) => UUID(5).test(deriveOutboxId(from))));
  });

  it('never changes: a deploy that changed it would send every retry again', () => {
    expect(deriveOutboxId(['idem', COMPANY_ID, 'order-1'])).toBe('b530927e-9f62-50d9-9bd3-153b79d6b8c8');
  });

  it('is the same for the same source and another for another', () => {
    fc.assert(
      fc.property(source, source, (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        expect(deriveOutboxId(a) === deriveOutboxId(b)).toBe(same);
        expect(deriveOutboxId([...a] as unknown as OutboxIdSource)).toBe(deriveOutboxId(a));
      }),
    );
  });

  it('of one kind is never that of another, nor of another company', () => {
    const ids = [
      deriveOutboxId(['idem', COMPANY_ID, 'x']),
      deriveOutboxId(['idem', OTHER_COMPANY_ID, 'x']),
      deriveOutboxId(['entry', COMPANY_ID, 'x']),
      deriveOutboxId(['mailing', COMPANY_ID, 'x']),
      deriveOutboxId(['event', COMPANY_ID, 'x', 'x', 'x']),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('does not run its parts together', () => {
    expect(deriveOutboxId(['event', 'c', 'ab', 'c', 'd'])).not.toBe(
      deriveOutboxId(['event', 'c', 'a', 'bc', 'd']),
    );
    expect(deriveOutboxId(['idem', 'c', 'a","b'])).not.toBe(deriveOutboxId(['idem', 'c","a', 'b']));
  });
});

describe('a new id', () => {
  it('is a UUIDv7 that starts with the time', () => {
    const id = newOutboxId(NOW, countingBytes());
    expect(id).toMatch(UUID(7));
    expect(parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(NOW);
  });

  it('sorts by time, whatever the randomness', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 31 }), fc.integer({ min: 1, max: 2 ** 31 }), (offset, later) => {
        const first = newOutboxId(NOW + offset, bytesOf(0xff));
        expect(first < newOutboxId(NOW + offset + later, bytesOf(0x00))).toBe(true);
      }),
    );
  });

  it('differs within a millisecond by its random bytes', () => {
    const random = countingBytes();
    expect(newOutboxId(NOW, random)).not.toBe(newOutboxId(NOW, random));
  });
});

it('an id made of a hash is a UUIDv8 of its first half', () => {
  expect(uuidFromHash('f'.repeat(64))).toBe('ffffffff-ffff-8fff-bfff-ffffffffffff');
  expect(uuidFromHash(`${'0'.repeat(32)}${'f'.repeat(32)}`)).toBe('00000000-0000-8000-8000-000000000000');
});
