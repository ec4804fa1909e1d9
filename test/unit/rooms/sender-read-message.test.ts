import { expect, it } from 'vitest';
import { readMessage } from '../../../lambdas/sender/read-message.ts';
import { aJob } from '../../factories/a-job.ts';
import { aMessage } from '../../factories/a-message.ts';
import { OUTBOX_ID } from '../../factories/an-email.ts';

const read = (data: unknown) =>
  readMessage(aMessage({ body: typeof data === 'string' ? data : JSON.stringify(data) }));

it('a valid job is a job', () => {
  expect(read(aJob())).toEqual({
    kind: 'job',
    message: aMessage(),
    job: aJob(),
  });
});

it('fields that a newer relay added are dropped', () => {
  expect(read({ ...aJob(), colour: 'green' })).toMatchObject({ kind: 'job', job: aJob() });
});

it('a newer version is held, whatever else it says', () => {
  expect(read({ v: 2 })).toMatchObject({ kind: 'newer', version: 2 });
  expect(read({ ...aJob(), v: 9 })).toMatchObject({ kind: 'newer', version: 9 });
});

it.each([
  ['no JSON', 'hello', 'the message is not JSON', undefined],
  ['no object', '[]', '', undefined],
  ['null', 'null', '', undefined],
  ['no version', { ...aJob(), v: undefined }, 'v', OUTBOX_ID],
  ['an older version', { ...aJob(), v: 0 }, 'v', OUTBOX_ID],
  ['a version in words', { ...aJob(), v: '2' }, 'v', OUTBOX_ID],
  ['another recipient', { ...aJob(), to: 'other@example.com' }, 'recipient.email must match to', OUTBOX_ID],
  [
    'nobody to recognise',
    { ...aJob(), recipient: { email: aJob().to } },
    'At least one recipient identifier required',
    OUTBOX_ID,
  ],
])('%s is no valid job, and the reason is told', (_, data, reason, outboxId) => {
  const found = read(data);
  expect(found).toMatchObject({ kind: 'invalid', reason: expect.stringContaining(reason) });
  if (found.kind === 'invalid') expect(found.outboxId).toBe(outboxId);
});
