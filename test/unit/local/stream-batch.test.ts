import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../local/clock.ts';
import type { MappingSettings } from '../../../local/event-sources/mapping-settings.ts';
import {
  runStreamBatch,
  streamRecord,
  type GivenUp,
  type StreamRecord,
} from '../../../local/event-sources/stream-batch.ts';
import { NOW, SECOND } from '../../factories/moments.ts';
import { ScriptedFunction } from '../../factories/scripted-function.ts';

interface Batch {
  readonly Records: readonly string[];
}

function settings(overrides: Partial<MappingSettings> = {}): MappingSettings {
  return {
    id: 'mapping',
    functionReference: 'relay',
    sourceArn: 'arn:stream',
    batchSize: 100,
    reportsItemFailures: true,
    bisects: false,
    retryAttempts: 2,
    maxRecordAgeMs: Infinity,
    maxConcurrency: Infinity,
    onFailureArn: undefined,
    accepts: () => true,
    ...overrides,
  };
}

/** One record a letter; the letter is its event and its sequence number. */
function records(letters: string, createdAt: (letter: string) => number = () => NOW): StreamRecord[] {
  return [...letters].map((letter) => ({
    sequenceNumber: letter,
    createdAt: createdAt(letter),
    event: letter,
  }));
}

const failing = (...sequenceNumbers: string[]) => ({
  batchItemFailures: sequenceNumbers.map((itemIdentifier) => ({ itemIdentifier })),
});

async function run(
  batch: readonly StreamRecord[],
  answer: (letters: string, call: number) => unknown,
  overrides: Partial<MappingSettings> = {},
  stopAfterCalls = Infinity,
) {
  const clock = new ManualClock(NOW);
  const checkpoints: string[] = [];
  const lost: Array<Omit<GivenUp, 'records'> & { letters: string }> = [];
  const pauses: number[] = [];
  const target = new ScriptedFunction<Batch>(({ Records }, call) => answer(Records.join(''), call));
  const stopping = () => target.events.length >= stopAfterCalls;
  const done = await runStreamBatch(batch, settings(overrides), {
    target,
    clock,
    checkpoint: (sequenceNumber) => checkpoints.push(sequenceNumber),
    giveUp: ({ records: given, ...why }) => {
      lost.push({ ...why, letters: given.map(({ sequenceNumber }) => sequenceNumber).join('') });
      return Promise.resolve();
    },
    stopping,
    pause: (ms) => {
      pauses.push(ms);
      clock.advance(ms);
      return Promise.resolve(!stopping());
    },
  });
  return {
    done,
    checkpoints,
    lost,
    pauses,
    invocations: target.events.map(({ Records }) => Records.join('')),
  };
}

describe('a batch that is handled', () => {
  it('moves the checkpoint behind its last record', async () => {
    expect(await run(records('abc'), () => null)).toEqual({
      done: true,
      checkpoints: ['c'],
      lost: [],
      pauses: [],
      invocations: ['abc'],
    });
  });

  it('is nothing to do if it is empty', async () => {
    expect(await run([], () => null)).toMatchObject({ done: true, checkpoints: [], invocations: [] });
  });
});

describe('a batch of which some failed', () => {
  it('is retried from the first that did, with the checkpoint just before it', async () => {
    const answer = (_letters: string, call: number) => (call === 1 ? failing('d', 'c') : null);
    expect(await run(records('abcde'), answer)).toMatchObject({
      done: true,
      checkpoints: ['b', 'e'],
      invocations: ['abcde', 'cde'],
      lost: [],
    });
  });

  it('is not halved, though the mapping bisects', async () => {
    const answer = (_letters: string, call: number) => (call === 1 ? failing('a') : null);
    expect(await run(records('abcd'), answer, { bisects: true })).toMatchObject({
      checkpoints: ['d'],
      invocations: ['abcd', 'abcd'],
    });
  });

  it('is given up from the first that failed on, once the retries are used up', async () => {
    const answer = (letters: string) => (letters.includes('b') ? failing('b') : null);
    expect(await run(records('abc'), answer)).toMatchObject({
      done: true,
      invocations: ['abc', 'bc', 'bc'],
      checkpoints: ['a', 'c'],
      lost: [{ condition: 'RetryAttemptsExhausted', letters: 'bc', invocations: 3, requestId: 'request-3' }],
    });
  });

  it('has its retries anew each time that it gets further', async () => {
    const answer = (letters: string) => (letters.length > 1 ? failing(letters[1] ?? '') : null);
    expect(await run(records('abcde'), answer, { retryAttempts: 1 })).toMatchObject({
      invocations: ['abcde', 'bcde', 'cde', 'de', 'e'],
      checkpoints: ['a', 'b', 'c', 'd', 'e'],
      lost: [],
    });
  });
});

describe('a batch that failed as a whole', () => {
  const poison = (letter: string) => (letters: string) =>
    letters.includes(letter) ? new Error('poison') : null;

  it('is retried as a whole, with growing pauses, and then given up', async () => {
    expect(await run(records('ab'), poison('a'), { retryAttempts: 9 })).toEqual({
      done: true,
      invocations: Array.from({ length: 10 }, () => 'ab'),
      checkpoints: ['b'],
      pauses: [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000],
      lost: [
        { condition: 'RetryAttemptsExhausted', letters: 'ab', invocations: 10, requestId: 'request-10' },
      ],
    });
  });

  it('is not retried where the mapping has no retries', async () => {
    expect(await run(records('ab'), poison('a'), { retryAttempts: 0 })).toMatchObject({
      invocations: ['ab'],
      lost: [{ letters: 'ab', invocations: 1 }],
    });
  });

  it('may succeed on a retry', async () => {
    const answer = (_letters: string, call: number) => (call < 3 ? new Error('busy') : null);
    expect(await run(records('ab'), answer)).toMatchObject({ checkpoints: ['b'], lost: [] });
  });

  it('is halved until the one bad record stands alone, which costs no retry', async () => {
    expect(await run(records('abcde'), poison('d'), { bisects: true, retryAttempts: 1 })).toEqual({
      done: true,
      invocations: ['abcde', 'abc', 'de', 'd', 'd', 'e'],
      checkpoints: ['c', 'd', 'e'],
      pauses: [100],
      lost: [{ condition: 'RetryAttemptsExhausted', letters: 'd', invocations: 2, requestId: 'request-5' }],
    });
  });

  it('keeps the order of its records when it is halved', async () => {
    const answer = (letters: string) => (letters.length > 1 ? new Error('too many') : null);
    expect(await run(records('abcd'), answer, { bisects: true })).toMatchObject({
      invocations: ['abcd', 'ab', 'a', 'b', 'cd', 'c', 'd'],
      checkpoints: ['a', 'b', 'c', 'd'],
    });
  });
});

describe('records that are too old', () => {
  const ages = (letter: string) => (letter < 'c' ? NOW - 11 * SECOND : NOW);
  const maxRecordAgeMs = 10 * SECOND;

  it('are given up unseen, and the others are handled', async () => {
    expect(await run(records('abcd', ages), () => null, { maxRecordAgeMs })).toMatchObject({
      done: true,
      invocations: ['cd'],
      checkpoints: ['b', 'd'],
      lost: [{ condition: 'MaximumRecordAgeExceeded', letters: 'ab', invocations: 0, requestId: '' }],
    });
  });

  it('end the retries of a batch that outlives them', async () => {
    const answer = () => new Error('always');
    const { done, lost, checkpoints, invocations } = await run(records('ab'), answer, {
      maxRecordAgeMs: 500,
      retryAttempts: Infinity,
    });
    // Pauses of 100, 200 and 400 ms.
    expect({ done, checkpoints, invocations }).toEqual({
      done: true,
      checkpoints: ['b'],
      invocations: ['ab', 'ab', 'ab'],
    });
    expect(lost).toEqual([
      { condition: 'MaximumRecordAgeExceeded', letters: 'ab', invocations: 3, requestId: 'request-3' },
    ]);
  });

  it('do not take a younger record before them along', async () => {
    const odd = (letter: string) => (letter === 'b' ? NOW - 11 * SECOND : NOW);
    const { checkpoints, invocations } = await run(records('abc', odd), () => null, { maxRecordAgeMs });
    expect({ checkpoints, invocations }).toEqual({ checkpoints: ['c'], invocations: ['abc'] });
  });

  it('are as old as they may be up to the very limit', async () => {
    const limit = () => NOW - maxRecordAgeMs;
    expect(await run(records('a', limit), () => null, { maxRecordAgeMs })).toMatchObject({ lost: [] });
  });
});

describe('a stop', () => {
  it.each([
    ['a failure', new Error('terminated')],
    ['a partial failure', failing('b')],
  ])('makes nothing of %s that it caused', async (_what, answer) => {
    const { done, checkpoints, lost } = await run(records('abc'), () => answer, { retryAttempts: 0 }, 1);
    expect({ done, checkpoints, lost }).toEqual({ done: false, checkpoints: [], lost: [] });
  });

  it('still counts what succeeded', async () => {
    expect(await run(records('ab'), () => null, {}, 1)).toMatchObject({ done: true, checkpoints: ['b'] });
  });

  it('leaves the second half of a batch alone if it comes in the first', async () => {
    const answer = () => new Error('terminated');
    const { done, invocations, checkpoints } = await run(records('abcd'), answer, { bisects: true }, 2);
    expect({ done, invocations, checkpoints }).toEqual({
      done: false,
      invocations: ['abcd', 'ab'],
      checkpoints: [],
    });
  });

  it('ends a batch whose function takes no more invocations', async () => {
    const answer = () => Promise.reject(new Error('relay is shutting down.'));
    expect(await run(records('ab'), answer)).toMatchObject({ done: false, checkpoints: [], lost: [] });
  });
});

it('a record of the stream has the shape that functions receive', () => {
  const record = streamRecord(
    {
      eventID: 'e1',
      eventName: 'REMOVE',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' },
      dynamodb: {
        ApproximateCreationDateTime: new Date(NOW + 999),
        SequenceNumber: '42',
        Keys: { pk: { S: 'a' } },
        OldImage: {
          pk: { S: 'a' },
          body: { B: Uint8Array.of(255, 0) },
          list: { L: [{ BS: [Uint8Array.of(1)] }] },
        },
      },
    },
    'arn:stream',
  );
  expect(record).toEqual({
    sequenceNumber: '42',
    createdAt: NOW + 999,
    event: {
      eventID: 'e1',
      eventName: 'REMOVE',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: 'arn:stream',
      userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
      dynamodb: {
        ApproximateCreationDateTime: NOW / 1000,
        SequenceNumber: '42',
        Keys: { pk: { S: 'a' } },
        OldImage: { pk: { S: 'a' }, body: { B: '/wA=' }, list: { L: [{ BS: ['AQ=='] }] } },
      },
    },
  });
});
