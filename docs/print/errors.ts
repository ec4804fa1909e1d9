import { API_ERRORS } from '../../shared/domain/api-errors.ts';
import { calculateBackoffDelay, longHoldDelay } from '../../shared/domain/backoff.ts';
import { FAILURE_RULES, type Decision, type ErrorCode } from '../../shared/domain/failures.ts';
import { EMAIL_JOB_CONFIG } from '../../shared/domain/job-config.ts';
import { table } from './markdown.ts';

const DECISIONS: Record<Decision, string> = {
  fail: 'FAILED at once, and into the dead-letter queue.',
  throttle: 'Tried again in the same call for up to 20 s, then as `hold`.',
  hold: 'A counted attempt. The message waits in its lane, and the lane with it.',
  longHold: 'Not counted. The lane waits 15, 30, 45, then every 60 minutes, until the mail expires.',
  stepAside:
    'SES may have the mail. It waits at least 120 s for SES to say so, in a group of its own, delaying nobody.',
};

const VALIDATION_CODES: readonly (readonly [ErrorCode, string])[] = [
  [
    'INVALID_PAYLOAD',
    'The message is no valid job. There is no mail to write it on: the log says it, the message is in the DLQ.',
  ],
  ['OUTBOX_NOT_FOUND', 'There is no such mail, or it belongs to another company. As above.'],
  ['RECIPIENT_NOT_FOUND', 'The recipient is unknown, deleted, of another company, or has another address.'],
  [
    'RECIPIENT_SUPPRESSED',
    'The address bounced or complained before. A suppressed cc or bcc is left out instead.',
  ],
  ['INVALID_EMAIL', '`to` is no e-mail address.'],
  [
    'INVALID_TEMPLATE',
    'The HTML is missing, empty, too large, or has scripts in it; or the subject is too long.',
  ],
];

export function errorsPage(): string {
  const seconds = (ms: number) => `${ms / 1000} s`;
  const middle = () => 0.5;
  const attempts = Array.from({ length: EMAIL_JOB_CONFIG.MAX_ATTEMPTS }, (_, i) => i + 1);
  return `# Errors

<!-- Printed by \`npm run docs\` from shared/domain/failures.ts, backoff.ts and api-errors.ts. -->

## What the API answers

Every error is \`application/problem+json\` (RFC 9457) with a stable \`code\`, the \`requestId\` and, for 422, \`errors[]\`
with a JSON pointer each.

${table(
  ['status', 'code', 'title'],
  Object.entries(API_ERRORS).map(([code, { status, title }]) => [String(status), code, title]),
)}

## What the sender's own checks say

Category VALIDATION_ERROR; the mail is FAILED.

${table(['errorCode', 'means'], VALIDATION_CODES)}

## What SES says, and what becomes of the mail

The first row that fits decides. Names without "Exception" are those of SES v1.

${table(
  ['SES error or SMTP code', 'message', 'errorCode', 'category', 'decision'],
  FAILURE_RULES.map((rule) => [
    rule.names.join(', '),
    rule.message ? `\`${rule.message.source}\`` : 'any',
    rule.code,
    rule.category,
    rule.decision,
  ]),
)}

What is not in the table: a failure before the connection stood is \`hold\`; another typed refusal with a 4xx is
\`fail\`; anything else (a timeout, a reset, a 500 without a type) is \`stepAside\`.

${table(
  ['decision', 'what happens'],
  Object.entries(DECISIONS).map(([name, text]) => [name, text]),
)}

The company of the mail being suspended works like \`longHold\`, with the code COMPANY_SUSPENDED.

## How long it waits

After attempt n, ±25 %. ${EMAIL_JOB_CONFIG.MAX_ATTEMPTS} attempts a run; an operator's redrive starts a new run. The
curve is chosen at deploy time (\`backoffCurve\`).

${table(
  ['after attempt', ...attempts.map(String)],
  (['steps', 'exponential'] as const).map((curve) => [
    curve,
    ...attempts.map((n) => seconds(calculateBackoffDelay(n, middle, curve))),
  ]),
)}

Long holds: ${[0, 1, 2, 3, 4].map((n) => `${longHoldDelay(n) / 60_000} min`).join(', ')}, …
`;
}
