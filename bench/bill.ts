import type { Room } from '../lib/bundle.ts';
import type { Entry } from './ledger.ts';
import { ASSUMED_MS, ASSUMED_POLLERS_A_QUEUE, PRICES } from './prices.ts';

/** Everything that happened while some mails travelled the line. */
export interface Observed {
  readonly mails: number;
  readonly entries: readonly Entry[];
  readonly invocations: ReadonlyArray<{
    readonly room: Room;
    readonly count: number;
    readonly memoryGb: number;
  }>;
  readonly logBytes: number;
}

/** One line of the bill, for one mail. */
export interface BillLine {
  readonly what: string;
  readonly unit: string;
  readonly count: number;
  readonly dollars: number;
}

export function billOf({ mails, entries, invocations, logBytes }: Observed): BillLine[] {
  const line = (what: string, unit: string, count: number, price: number): BillLine => ({
    what,
    unit,
    count: count / mails,
    dollars: (count / mails) * price,
  });
  const gbSeconds = sum(
    invocations,
    ({ room, count, memoryGb }) => count * memoryGb * (ASSUMED_MS[room] / 1000),
  );
  return [
    line('HTTP API', 'requests', mails, PRICES.httpApiRequest),
    line(
      'Lambda',
      'invocations',
      sum(invocations, ({ count }) => count),
      PRICES.lambdaRequest,
    ),
    line('Lambda', 'GB-seconds', gbSeconds, PRICES.lambdaGbSecond),
    line(
      'DynamoDB',
      'write units',
      sum(entries, ({ writes }) => writes?.total ?? 0),
      PRICES.dynamoWriteUnit,
    ),
    line(
      'DynamoDB',
      'read units',
      sum(entries, ({ readUnits }) => readUnits ?? 0),
      PRICES.dynamoReadUnit,
    ),
    line('SQS FIFO', 'requests', queueRequests(entries, invocations), PRICES.sqsRequest),
    line('CloudWatch Logs', 'GB', logBytes / 1e9, PRICES.logGb),
    line(
      'SES',
      'mails',
      sum(entries, ({ operation }) => (operation === 'SendEmail' ? 1 : 0)),
      PRICES.sesMail,
    ),
  ];
}

export function totalOf(bill: readonly BillLine[], unless: string): number {
  return sum(
    bill.filter(({ what }) => what !== unless),
    ({ dollars }) => dollars,
  );
}

/** A receive for each batch that a sender got; polls that found nothing are a matter of time, not of mails. */
function queueRequests(entries: readonly Entry[], invocations: Observed['invocations']): number {
  const asked = entries.filter(
    ({ service, operation }) => service === 'sqs' && operation !== 'ReceiveMessage',
  );
  return asked.length + (invocations.find(({ room }) => room === 'sender')?.count ?? 0);
}

const MONTH_S = 30 * 86_400;
const POLL_S = 20;
const QUEUES = 2;

/** What an idle gateway costs, given the calls of one run of the sweeper. */
export function fixedMonthly(sweep: readonly Entry[], sweeperGb: number): string {
  const ofRun =
    sum(sweep, ({ readUnits }) => readUnits ?? 0) * PRICES.dynamoReadUnit +
    sweep.filter(({ service }) => service === 'sqs').length * PRICES.sqsRequest +
    PRICES.lambdaRequest +
    sweeperGb * (ASSUMED_MS.sweeper / 1000) * PRICES.lambdaGbSecond;
  const sweeping = (MONTH_S / 60) * ofRun;
  const polling = (MONTH_S / POLL_S) * QUEUES * ASSUMED_POLLERS_A_QUEUE * PRICES.sqsRequest;
  return `Whatever the load, a month: sweeper $${sweeping.toFixed(2)} (${sweep.length} calls a run), ${QUEUES * ASSUMED_POLLERS_A_QUEUE} idle long polls $${polling.toFixed(2)}.`;
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
