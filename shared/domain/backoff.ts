import { EMAIL_JOB_CONFIG, EMAIL_JOB_RETRY_CONFIG } from './job-config.ts';

export type BackoffCurve = 'steps' | 'exponential';

/** Milliseconds to wait after attempt n failed (n from 1), with ±25 % jitter; `random` gives [0, 1). */
export function calculateBackoffDelay(
  attempt: number,
  random: () => number,
  curve: BackoffCurve = 'steps',
): number {
  const base = curve === 'steps' ? stepDelay(attempt) : exponentialDelay(attempt);
  const jitter = (random() * 2 - 1) * base * EMAIL_JOB_RETRY_CONFIG.JITTER_FACTOR;
  return Math.max(0, Math.round(base + jitter));
}

function stepDelay(attempt: number): number {
  const steps = EMAIL_JOB_CONFIG.BACKOFF_DELAYS;
  return (steps[Math.min(Math.max(attempt, 1), steps.length) - 1] ?? 0) * 1000;
}

function exponentialDelay(attempt: number): number {
  const { BASE_DELAY_MS, MAX_DELAY_MS } = EMAIL_JOB_RETRY_CONFIG;
  return Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (Math.max(attempt, 1) - 1));
}

/** Quota for the day used up, sending paused, company suspended: look again in 15, 30, 45, then every 60 minutes. */
export function longHoldDelay(holdsSoFar: number): number {
  return Math.min(60, 15 * (holdsSoFar + 1)) * 60_000;
}
