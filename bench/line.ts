import { setTimeout as sleep } from 'node:timers/promises';
import type { TestGateway } from '../test/integration/gateway.ts';
import { startPeer } from './bullmq-peer.ts';
import { rounded, type Progress, type Report } from './report.ts';
import { percentile } from './statistics.ts';
import { inParallel, sentAt, untilSent, warmSenders, withGateway } from './traffic.ts';

/** Whatever takes mails over HTTP and sends them to SES. */
export interface Line {
  /** Resolves once the mail is accepted. */
  accept(i: number): Promise<string>;
  /** When each was sent, in epoch milliseconds, once all of them are. */
  sentTimes(ids: readonly string[]): Promise<number[]>;
}

interface Figures {
  readonly accepted: number;
  readonly sent: number;
  readonly p50: number;
  readonly p95: number;
}

const WARM_UP = 60;
const QUIET_MAILS = 40;
const QUIET_GAP_MS = 150;
/** Whichever comes first, so that a slow machine measures fewer mails, not longer. */
const MOST_MAILS = 1_500;
const FULL_LOAD_MS = 6_000;
const CLIENTS = 32;

export async function benchLine(progress: Progress): Promise<Report[]> {
  progress('starting the gateway');
  const gateway = await withGateway(async (each) => {
    progress('warming up the senders');
    await warmSenders(each);
    return measure(gatewayLine(each), progress);
  });
  const { peer, leftOut } = await startPeer();
  if (!peer) return [report(gateway, undefined, [`Peer left out: ${leftOut}.`])];
  try {
    progress('the peer: BullMQ + Redis');
    const found = await measure(peer, progress);
    return [
      report(gateway, found, [
        'The peer: POST, one job in Redis (append-only file), a worker that calls SES; no more.',
      ]),
    ];
  } finally {
    await peer.close();
  }
}

/** Every lane of two tenants, so that all pollers have something to do. */
function gatewayLine(gateway: TestGateway): Line {
  const { demo, other } = gateway.local.ready.apiKeys;
  const priorities = [1, 5, 9, 9, 9, 9];
  return {
    accept: (i) =>
      gateway.accept(
        { to: `line-${i % 200}@example.com`, priority: priorities[i % priorities.length] },
        {},
        i % 2 === 0 ? demo : other,
      ),
    sentTimes: async (ids) => (await untilSent(gateway, ids)).map(sentAt),
  };
}

async function measure(line: Line, progress: Progress): Promise<Figures> {
  progress(`warming up with ${WARM_UP} mails`);
  await line.sentTimes(await inParallel(WARM_UP, 8, (i) => line.accept(i)));

  progress(`low load: ${QUIET_MAILS} mails, one every ${QUIET_GAP_MS} ms`);
  const posted: { at: number; id: string }[] = [];
  for (let i = 0; i < QUIET_MAILS; i += 1) {
    const at = Date.now();
    posted.push({ at, id: await line.accept(i) });
    await sleep(Math.max(0, at + QUIET_GAP_MS - Date.now()));
  }
  const times = await line.sentTimes(posted.map(({ id }) => id));
  const latencies = times.map((time, i) => time - (posted[i]?.at ?? 0));

  progress(`full load: ${CLIENTS} clients for ${FULL_LOAD_MS / 1000} s`);
  const startedAt = Date.now();
  const answers = await inParallel(MOST_MAILS, CLIENTS, async (i) =>
    Date.now() - startedAt < FULL_LOAD_MS ? line.accept(i) : undefined,
  );
  const ids = answers.filter((id) => id !== undefined);
  const acceptedAt = Date.now();
  progress(`${ids.length} accepted; waiting until they are sent`);
  const lastSent = Math.max(...(await line.sentTimes(ids)));
  return {
    accepted: ids.length / ((acceptedAt - startedAt) / 1000),
    sent: ids.length / ((lastSent - startedAt) / 1000),
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
  };
}

function report(gateway: Figures, peer: Figures | undefined, notes: readonly string[]): Report {
  const row = (what: string, unit: string, figure: keyof Figures) => [
    what,
    unit,
    rounded(gateway[figure]),
    ...(peer ? [rounded(peer[figure]), rounded(gateway[figure] / peer[figure])] : []),
  ];
  return {
    name: 'line',
    columns: ['measure', 'unit', 'gateway', ...(peer ? ['BullMQ + Redis', 'gateway ÷ peer'] : [])],
    rows: [
      row('accepted by the API, while the line works', 'mails/s', 'accepted'),
      row('sent, end to end', 'mails/s', 'sent'),
      row('accept to sent at low load, p50', 'ms', 'p50'),
      row('accept to sent at low load, p95', 'ms', 'p95'),
    ],
    notes: [
      `Full load: ${CLIENTS} clients. They, the functions and the emulated AWS share this machine.`,
      'The runner looks into an idle stream every 100 ms (Lambda: 250 ms), which the latency includes.',
      ...notes,
    ],
  };
}
