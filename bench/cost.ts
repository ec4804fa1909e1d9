import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOMS, type Room } from '../lib/bundle.ts';
import { until, type TestGateway } from '../test/integration/gateway.ts';
import { billOf, fixedMonthly, totalOf, type Observed } from './bill.ts';
import { Gate } from './gate.ts';
import { Ledger } from './ledger.ts';
import { ASSUMED_MS } from './prices.ts';
import { rounded, type Progress, type Report } from './report.ts';
import { inParallel, untilItem, withGateway } from './traffic.ts';

const BUSY_MAILS = 50;
const QUIET_MAILS = 8;
const PATIENCE_MS = 20_000;
/** SES's events come after the sender has written down what it did, as they nearly always do. */
const EVENTS_AFTER_MS = 500;
/** Log files are written behind the functions' backs; the last answers are on their way, too. */
const LOGS_SETTLE_MS = 300;

export async function benchCost(progress: Progress): Promise<Report[]> {
  progress('starting the gateway');
  const ledger = new Ledger();
  try {
    return await withGateway((gateway) => measure(gateway, ledger, progress), {
      endpointsForFunctions: ledger.between,
    });
  } finally {
    await ledger.close();
  }
}

async function measure(gateway: TestGateway, ledger: Ledger, progress: Progress): Promise<Report[]> {
  await gateway.order('events', { send: 'normal', delayMs: EVENTS_AFTER_MS });
  gateway.local.rules.stopSchedules();
  const gate = new Gate(gateway, ROOMS);
  const busyMail = (i: number) => gateway.accept({ to: `success+${i}@simulator.amazonses.com`, html: HTML });

  progress('warming up, and making the recipients known');
  await untilDelivered(gateway, await inParallel(BUSY_MAILS, 1, busyMail));

  progress(`busy: ${BUSY_MAILS} mails that travel together, to known recipients`);
  const busy = await observe(gateway, ledger, gate, BUSY_MAILS, async () => {
    gate.hold('relay', 'sender');
    const mails = await inParallel(BUSY_MAILS, 1, busyMail);
    gate.open('relay');
    await until(
      () => gateway.depth('express'),
      (depth) => depth === BUSY_MAILS,
      PATIENCE_MS,
    );
    gate.open('sender');
    await untilDelivered(gateway, mails);
  });

  progress(`quiet: ${QUIET_MAILS} mails one by one, each to a new recipient`);
  const quiet = await observe(gateway, ledger, gate, QUIET_MAILS, async () => {
    for (let i = 0; i < QUIET_MAILS; i += 1) {
      const to = `success+new${i}@simulator.amazonses.com`;
      await untilDelivered(gateway, [await gateway.accept({ to, html: HTML })]);
    }
  });

  progress('one run of the sweeper');
  const mark = ledger.mark();
  await gateway.sweep();
  const sweep = ledger.entries.slice(mark).filter(({ room }) => room === 'sweeper');
  return [
    callsReport(busy, quiet),
    dollarsReport(busy, quiet, fixedMonthly(sweep, memoryGb(gateway, 'sweeper'))),
  ];
}

/** What a transactional mail looks like: some 4 KB, of which brotli leaves one. */
const HTML = `<!doctype html><html><body>${Array.from(
  { length: 40 },
  (_, i) =>
    `<p style="margin:0 0 12px">Line ${i} of ${((i + 1) * 7919) % 1009}: your order is on its way.</p>`,
).join('\n')}</body></html>`;

async function observe(
  gateway: TestGateway,
  ledger: Ledger,
  gate: Gate,
  mails: number,
  send: () => Promise<void>,
): Promise<Observed> {
  const [mark, passed, logged] = [ledger.mark(), gate.passages.length, await logBytes(gateway)];
  await send();
  await until(
    () => gateway.depth('express'),
    (depth) => depth === 0,
    PATIENCE_MS,
  );
  const logBytesNow = await logBytes(gateway);
  const entries = ledger.since(mark);
  const passages = gate.passages.slice(passed);
  const invocations = ROOMS.map((room) => ({
    room,
    count: passages.filter((passage) => passage.room === room).length,
    memoryGb: memoryGb(gateway, room),
  }));
  return { mails, entries, invocations, logBytes: logBytesNow - logged };
}

async function untilDelivered(gateway: TestGateway, mails: readonly string[]): Promise<void> {
  for (const outboxId of mails) await untilItem(gateway, outboxId, ({ status }) => status === 'DELIVERED');
}

function memoryGb(gateway: TestGateway, room: Room): number {
  return gateway.local.host.find(gateway.functionOf(room)).definition.memoryMb / 1024;
}

async function logBytes(gateway: TestGateway): Promise<number> {
  await sleep(LOGS_SETTLE_MS);
  const folder = join(gateway.dataDir, 'logs');
  return readdirSync(folder).reduce((total, name) => total + statSync(join(folder, name)).size, 0);
}

/** Every kind of call, so that one can see where the units come from. */
function callsReport(busy: Observed, quiet: Observed): Report {
  const count = ({ entries, mails }: Observed, line: string) => {
    const found = entries.filter((entry) => lineOf(entry) === line);
    const sum = (of: (entry: (typeof found)[number]) => number) =>
      found.reduce((total, entry) => total + of(entry), 0) / mails;
    return {
      calls: sum(() => 1),
      units: sum(({ writes, readUnits }) => (writes?.total ?? 0) + (readUnits ?? 0)),
    };
  };
  const lines = [...new Set([...busy.entries, ...quiet.entries].map(lineOf))].sort(
    (a, b) => ORDER.indexOf(a.split(' ')[0] ?? '') - ORDER.indexOf(b.split(' ')[0] ?? ''),
  );
  return {
    name: 'cost: calls and request units a mail',
    columns: ['room', 'call', 'busy (calls)', 'busy (units)', 'quiet (calls)', 'quiet (units)'],
    rows: lines.map((line) => {
      const [room = '', ...call] = line.split(' ');
      const [b, q] = [count(busy, line), count(quiet, line)];
      return [room, call.join(' '), rounded(b.calls), rounded(b.units), rounded(q.calls), rounded(q.units)];
    }),
    notes: [
      `busy: ${busy.mails} mails that travel together, to known recipients. quiet: ${quiet.mails} one by one, each to a new one.`,
      'Units are computed from the size of each item, indexes included. The poller is Lambda itself, billed like anyone.',
    ],
  };
}

const ORDER: readonly string[] = ['authorizer', 'api', 'relay', 'poller', 'sender', 'feedback'];

function lineOf({ room, service, operation, item }: Observed['entries'][number]): string {
  return [room, service, operation, ...(item === undefined ? [] : [`(${item.toLowerCase()})`])].join(' ');
}

function dollarsReport(busy: Observed, quiet: Observed, fixed: string): Report {
  const [ofBusy, ofQuiet] = [billOf(busy), billOf(quiet)];
  const million = (dollars: number) => Number((dollars * 1e6).toFixed(2));
  const rows = ofBusy.map(({ what, unit, count, dollars }, i) => [
    what,
    unit,
    rounded(count),
    million(dollars),
    rounded(ofQuiet[i]?.count ?? 0),
    million(ofQuiet[i]?.dollars ?? 0),
  ]);
  const total = (what: string, unless: string) => [
    what,
    '',
    '',
    million(totalOf(ofBusy, unless)),
    '',
    million(totalOf(ofQuiet, unless)),
  ];
  return {
    name: 'cost: dollars per million mails',
    columns: ['what', 'unit', 'busy (a mail)', 'busy ($/M)', 'quiet (a mail)', 'quiet ($/M)'],
    rows: [...rows, total('without SES', 'SES'), total('all', '')],
    notes: [
      'Prices: on demand, us-east-1, no free tier. Every mail is delivered at the first attempt and SES says so.',
      `Assumed for an invocation: ${ROOMS.map((room) => `${room} ${ASSUMED_MS[room]} ms`).join(', ')}.`,
      'Left out: storage, tracing, alarms, access logs, data transfer, cold starts.',
      fixed,
    ],
  };
}
