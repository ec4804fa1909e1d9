import { watchCalls } from '../test/integration/fault-proxy.ts';
import { until, type TestGateway } from '../test/integration/gateway.ts';
import { Gate } from './gate.ts';
import { rounded, type Progress, type Report } from './report.ts';
import { percentile } from './statistics.ts';
import { inParallel, sentAt, untilItem, warmSenders, withGateway } from './traffic.ts';

const FLOOD = 2_000;
const CLIENTS = 32;
const PROBES = 15;
/** On a slow machine the flood is smaller and the probes are fewer; the report says how many. */
const FLOOD_MS = 30_000;
const PROBES_MS = 12_000;
const PATIENCE_MS = 30_000;
/** With fewer left than the runner has under way at once, the flood is over. */
const FLOOD_IS_OVER = 80;

/** A mail in the lane kind that is flooded, and one that an OTP would be. */
const KINDS = [
  { what: 'bulk mail (priority 9)', priority: 9 },
  { what: 'urgent mail (priority 1)', priority: 1 },
] as const;

interface Probed {
  readonly ms: number;
  /** Mails that SES was given between the accept and the send, this one included. */
  readonly sends: number;
}

/** For each kind, in the order of the kinds. */
type Probes = Probed[][];

type Probe = (priority: number) => Promise<Probed>;

export async function benchFairness(progress: Progress): Promise<Report[]> {
  progress('starting the gateway');
  return withGateway(async (gateway) => {
    let sends = 0;
    const lookAway = watchCalls(gateway.local.ready.endpoints.ses, ({ operation }) => {
      if (operation === 'SendEmail') sends += 1;
    });
    const probe: Probe = async (priority) => {
      const before = { at: Date.now(), sends };
      const outboxId = await gateway.accept({ priority }, {}, gateway.local.ready.apiKeys.other);
      const mail = await untilItem(gateway, outboxId, ({ sentAt }) => sentAt);
      return { ms: sentAt(mail) - before.at, sends: sends - before.sends };
    };
    try {
      return [await measure(gateway, probe, progress)];
    } finally {
      lookAway();
    }
  });
}

async function measure(gateway: TestGateway, probe: Probe, progress: Progress): Promise<Report> {
  progress('warming up');
  await warmSenders(gateway);
  progress('one tenant alone');
  const alone = await probeInTurn(probe, () => Promise.resolve(true));

  const gate = new Gate(gateway, ['sender']);
  gate.hold('sender');
  progress(`another tenant queues ${FLOOD} bulk mails`);
  const { demo } = gateway.local.ready.apiKeys;
  const floodedAt = Date.now();
  const answers = await inParallel(FLOOD, CLIENTS, async (i) =>
    Date.now() - floodedAt < FLOOD_MS
      ? gateway.accept({ to: `flood-${i % 200}@example.com`, priority: 9 }, {}, demo)
      : undefined,
  );
  const queued = answers.filter((id) => id !== undefined).length;
  await until(
    () => gateway.depth('bulk'),
    (depth) => depth === queued,
    PATIENCE_MS,
  );
  progress('the senders go, and the first tenant sends as before');
  gate.open('sender');
  const flooded = await probeInTurn(probe, async () => (await gateway.depth('bulk')) > FLOOD_IS_OVER);
  return report(alone, flooded, queued);
}

/** One of each kind in turn, each sent before the next is posted. What was posted into the flood's end is not counted. */
async function probeInTurn(probe: Probe, goesOn: () => Promise<boolean>): Promise<Probes> {
  const probes: Probes = KINDS.map(() => []);
  const startedAt = Date.now();
  for (let i = 0; i < PROBES; i += 1) {
    for (const [kind, { priority }] of KINDS.entries()) {
      const probed = await probe(priority);
      if (!(await goesOn()) || Date.now() - startedAt > PROBES_MS) return probes;
      probes[kind]?.push(probed);
    }
  }
  return probes;
}

function report(alone: Probes, flooded: Probes, queued: number): Report {
  const rows = KINDS.flatMap(({ what }, kind) =>
    SHARES.map(([name, share]) => {
      const of = (probes: Probes, figure: keyof Probed) =>
        percentile(
          (probes[kind] ?? []).map((probed) => probed[figure]),
          share,
        );
      const [before, during] = [of(alone, 'ms'), of(flooded, 'ms')];
      const count = flooded[kind]?.length ?? 0;
      return [what, name, before, during, rounded(during / before), of(flooded, 'sends'), count];
    }),
  );
  return {
    name: 'fairness',
    columns: [
      'accept to sent of',
      '',
      'alone (ms)',
      'flooded (ms)',
      'ratio',
      'sends meanwhile',
      'mails measured',
    ],
    rows,
    notes: [
      `The flood: ${queued} bulk mails of another tenant, queued before the senders start; figures end with it.`,
      `Sends meanwhile: mails to SES between accept and send. In one common queue it would be up to ${queued}.`,
      'The ratio is that of this machine, whose cores the flood has, too; on Lambda each sender has its own.',
    ],
  };
}

const SHARES = [
  ['p50', 0.5],
  ['p95', 0.95],
] as const;
