import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Gate } from '../../bench/gate.ts';
import { Ledger, type Entry } from '../../bench/ledger.ts';
import { until, useGateway } from './gateway.ts';

const ledger = new Ledger();
const gateway = useGateway({ endpointsForFunctions: ledger.between });
afterAll(() => ledger.close());

/** One lane's messages travel in batches of at most ten. */
const BATCH = 10;
const A_MINUTE = 61_000;

let gate: Gate;
beforeEach(async () => {
  gate = new Gate(gateway(), ['relay', 'sender', 'feedback']);
  // What SES says comes when it comes: here it is left out, so that only the sender writes to a sent mail.
  await gateway().order('events', { send: 'drop' });
});

/**
 * Asks the table itself: a request to the API would be written down with the others. Once the messages are gone the
 * sender has heard all its answers, and so has the ledger.
 */
async function sent(...outboxIds: string[]): Promise<void> {
  for (const outboxId of outboxIds) {
    await until(
      async () => (await gateway().item(outboxId))?.status,
      (status) => status === 'SENT',
    );
  }
  await until(
    () => gateway().depth('express'),
    (depth) => depth === 0,
  );
}

async function sendOne(mail: Record<string, unknown> = {}): Promise<void> {
  await sent(await gateway().accept(mail));
}

/** Of these rooms only: Lambda's polls come by the clock. */
function callsSince(mark: number, ...rooms: string[]): Entry[] {
  return ledger.since(mark).filter(({ room }) => rooms.includes(room));
}

/** Each kind of call and how many there were, as one reads a bill. */
function bill(entries: readonly Entry[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { room, service, operation, item } of entries) {
    const line = [room, service === 's3' && 's3', operation, item].filter(Boolean).join(' ');
    counted[line] = (counted[line] ?? 0) + 1;
  }
  return counted;
}

describe('accepting a mail', () => {
  it('costs two puts; who is calling is read once a minute', async () => {
    await sendOne();
    gateway().clock.jump(A_MINUTE);
    const mark = ledger.mark();
    const mails: string[] = [];
    for (let i = 0; i < BATCH; i += 1) mails.push(await gateway().accept());
    expect(bill(callsSince(mark, 'authorizer', 'api'))).toEqual({
      'authorizer GetItem key': 1,
      'authorizer GetItem company': 1,
      'api PutItem BODY': BATCH,
      'api PutItem EMAIL': BATCH,
    });
    await sent(...mails);
  });

  it('costs an S3 object in place of the body item where the body is large, and the sender one read', async () => {
    await sendOne();
    const mark = ledger.mark();
    await sendOne({ html: `<p>${randomBytes(12_000).toString('base64')}</p>` });
    expect(bill(callsSince(mark, 'api'))).toEqual({ 'api s3 PUT': 1, 'api PutItem EMAIL': 1 });
    expect(bill(callsSince(mark, 'sender'))).toMatchObject({ 'sender s3 GET': 1, 'sender BatchGetItem': 1 });
  });

  it('again, with the same Idempotency-Key, costs the two puts and nothing further down the line', async () => {
    const headers = { 'idempotency-key': 'cost-of-a-replay' };
    await sent(await gateway().accept({}, headers));
    const mark = ledger.mark();
    await gateway().accept({}, headers);
    expect(bill(callsSince(mark, 'authorizer', 'api'))).toEqual({
      'api PutItem BODY': 1,
      'api PutItem EMAIL': 1,
    });
    const puts = callsSince(mark, 'api').map(({ writes }) => writes);
    // A refused put costs the item that is there, and no index.
    expect(puts).toEqual(puts.map(refused));
    // The stream is in order: had the replay been relayed, it would have been before this one.
    await sendOne({ to: 'after-the-replay@example.com' });
    expect(gate.passages.filter(({ room }) => room === 'relay').map(({ records }) => records)).toEqual([
      1, 1,
    ]);
    expect(bill(callsSince(mark, 'sender'))).toMatchObject({ 'sender SendEmail': 1 });
  });
});

function refused(put: Entry['writes']) {
  return { table: put?.table, indexes: {}, total: put?.table };
}

describe('a lane with mails waiting', () => {
  const MAILS = 25;

  /**
   * A first mail keeps the lane busy and a second one the stream, so that all that are posted meanwhile are
   * relayed together and taken ten by ten.
   */
  async function postTogether(to: (i: number) => string): Promise<string[]> {
    gate.hold('relay', 'sender');
    const first = await gateway().accept();
    await until(
      () => gate.waiting('relay'),
      (n) => n === 1,
    );
    gate.letThrough('relay');
    await until(
      () => gate.waiting('sender'),
      (n) => n === 1,
    );
    const second = await gateway().accept();
    await until(
      () => gate.waiting('relay'),
      (n) => n === 1,
    );
    const mails: string[] = [];
    for (let i = 0; i < MAILS - 1; i += 1) mails.push(await gateway().accept({ to: to(i) }));
    return [first, second, ...mails];
  }

  it('costs ⌈n/10⌉ batches to the queue, and a batch one read, two writes and one SES call a mail', async () => {
    await sendOne();
    // The first mail finds nothing remembered, alone; the batches after it find all they need.
    gateway().clock.jump(A_MINUTE);
    const before = gate.passages.length;
    const mark = ledger.mark();
    const mails = await postTogether(() => 'ana@example.com');
    gate.open('relay');
    await until(
      () => gateway().depth('express'),
      (depth) => depth === MAILS + 1,
    );
    const batches = (room: string) =>
      gate.passages
        .slice(before)
        .filter((passage) => passage.room === room)
        .map(({ records }) => records);
    expect(batches('relay')).toEqual([1, 1, MAILS - 1]);
    expect(bill(callsSince(mark, 'relay'))).toEqual({
      'relay SendMessageBatch': 2 + Math.ceil((MAILS - 1) / BATCH),
    });

    gate.open('sender');
    await sent(...mails);
    expect(batches('sender')).toEqual([1, BATCH, BATCH, MAILS - 2 * BATCH]);
    expect(bill(callsSince(mark, 'sender'))).toEqual({
      'sender BatchGetItem': 4,
      'sender GetItem company': 1,
      'sender PutItem EMAIL': 2 * (MAILS + 1),
      'sender SendEmail': MAILS + 1,
    });
    expect(bill(callsSince(mark, 'feedback'))).toEqual({});
  });
});

describe('a recipient', () => {
  it('is written when the mail says something new about it, and only then', async () => {
    const to = 'recipient@example.com';
    const recipient = { externalId: 'CUST-1' };
    const puts: number[] = [];
    for (const said of [recipient, recipient, { ...recipient, nome: 'Ana' }, { ...recipient, nome: 'Ana' }]) {
      const mark = ledger.mark();
      await sendOne({ to, recipient: said });
      puts.push(bill(callsSince(mark, 'sender'))['sender PutItem recipient'] ?? 0);
    }
    expect(puts).toEqual([1, 0, 1, 0]);
  });
});

describe('request units', () => {
  it('a mail writes each index on insert, the workset again when it leaves, and nothing in between', async () => {
    const to = 'units@example.com';
    await sendOne({ to });
    const mark = ledger.mark();
    await sendOne({ to });
    const calls = callsSince(mark, 'api', 'sender');
    const writes = calls.flatMap(({ writes }) => writes ?? []);
    expect(writes.map(({ indexes }) => indexes)).toEqual([
      { byCompany: 0, workset: 0 }, // body
      { byCompany: 1, workset: 1 }, // accept
      { byCompany: 0, workset: 0 }, // claim
      { byCompany: 0, workset: 1 }, // record
    ]);
    // A unit is a kilobyte: the mail fits one when it comes and two when its timeline is written.
    const most = [1, 1, 2, 2];
    writes.forEach(({ table }, i) => expect(table).toBeLessThanOrEqual(most[i] ?? 0));
  });

  it('a batch reads four small rows a mail, consistently: mail, body, recipient, suppression', async () => {
    const to = 'units@example.com';
    await sendOne({ to });
    const mark = ledger.mark();
    await sendOne({ to });
    const reads = callsSince(mark, 'sender').flatMap(({ readUnits }) => readUnits ?? []);
    expect(reads).toEqual([4]);
  });
});
