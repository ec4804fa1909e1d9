import { describe, expect, it } from 'vitest';
import { batchVerdict } from '../../../local/event-sources/batch-failures.ts';

const IDS = ['1', '2', '3'];
const answered = (payload: unknown) => ({ ok: true as const, payload, requestId: 'r' });
const verdict = (payload: unknown) => batchVerdict(answered(payload), true, IDS);

describe('what a function says about its batch', () => {
  it.each([
    ['null', null],
    ['an empty response', {}],
    ['a null list', { batchItemFailures: null }],
    ['an empty list', { batchItemFailures: [] }],
  ])('is success: %s', (_what, payload) => {
    expect(verdict(payload)).toEqual({ kind: 'success' });
  });

  it('is which failed, each once', () => {
    const failures = ['3', '1', '3'].map((itemIdentifier) => ({ itemIdentifier }));
    expect(verdict({ batchItemFailures: failures })).toEqual({ kind: 'some', failed: new Set(['3', '1']) });
  });

  it.each([
    ['an empty identifier', [{ itemIdentifier: '' }]],
    ['a null identifier', [{ itemIdentifier: null }]],
    ['a misspelt key', [{ itemIdentifer: '1' }]],
    ['an identifier of another batch', [{ itemIdentifier: '1' }, { itemIdentifier: '9' }]],
    ['a null failure', [null]],
    ['bare identifiers', ['1']],
    ['no list', { itemIdentifier: '1' }],
  ])('fails the whole batch: %s', (_what, batchItemFailures) => {
    expect(verdict({ batchItemFailures })).toEqual({ kind: 'failure' });
  });

  it('is failure if it failed', () => {
    const failed = { ok: false as const, requestId: 'r', error: { errorType: 'Error', errorMessage: '' } };
    for (const reports of [true, false])
      expect(batchVerdict(failed, reports, IDS)).toEqual({ kind: 'failure' });
  });

  it('is not read where the mapping does not ask for it', () => {
    const payload = { batchItemFailures: [{ itemIdentifier: '1' }] };
    expect(batchVerdict(answered(payload), false, IDS)).toEqual({ kind: 'success' });
  });
});
