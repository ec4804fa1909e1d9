import { expect, it } from 'vitest';
import { EMAIL_JOB_CONFIG, EMAIL_JOB_RETRY_CONFIG, EMAIL_LIMITS } from '../../../shared/domain/job-config.ts';

it('has the figures of the job contract', () => {
  expect(EMAIL_JOB_CONFIG).toEqual({
    QUEUE_NAME: 'email:send',
    DEFAULT_TTL: 86400000,
    DEFAULT_PRIORITY: 5,
    MAX_ATTEMPTS: 5,
    BACKOFF_DELAYS: [1, 5, 30, 120, 600],
    DLQ_TTL: 604800000,
  });
});

it('has the figures of the retry contract', () => {
  expect(EMAIL_JOB_RETRY_CONFIG).toEqual({
    MAX_ATTEMPTS: 5,
    BASE_DELAY_MS: 1000,
    MAX_DELAY_MS: 60000,
    JITTER_FACTOR: 0.25,
    DLQ_TTL_MS: 604800000,
  });
});

it('has the limits of the design', () => {
  expect(EMAIL_LIMITS).toMatchObject({
    ADDRESS_LENGTH: 254,
    COPIES: 5,
    SUBJECT_LENGTH: 150,
    HTML_BYTES: 524288,
    HEADERS: 10,
    TAGS: 5,
    TTL_SECONDS_LEAST: 60,
    TTL_SECONDS_MOST: 86400,
    SEND_AT_MINUTES_PAST: 5,
  });
});
