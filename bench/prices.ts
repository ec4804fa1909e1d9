import type { Room } from '../lib/bundle.ts';

/** Dollars, on demand, us-east-1, without free tiers. Each for one of its unit. */
export const PRICES = {
  httpApiRequest: 1.0 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  /** arm64 */
  lambdaGbSecond: 0.0000133334,
  dynamoWriteUnit: 0.625 / 1e6,
  dynamoReadUnit: 0.125 / 1e6,
  /** FIFO, high throughput; a batch of up to 64 KB is one request. */
  sqsRequest: 0.5 / 1e6,
  logGb: 0.5,
  /** À la carte. Accounts made since July 2026 start on a plan of 0.16. */
  sesMail: 0.1 / 1e3,
} as const;

/** What an invocation is billed for on Lambda: mostly waiting for DynamoDB (5 ms) and SES (60–100 ms). */
export const ASSUMED_MS: Readonly<Record<Room, number>> = {
  authorizer: 3,
  api: 20,
  relay: 30,
  sender: 150,
  feedback: 15,
  sweeper: 200,
};

/** Lambda keeps at least this many long polls of 20 s open at each queue. */
export const ASSUMED_POLLERS_A_QUEUE = 5;
