import { checkBatchRequest } from '../../shared/domain/batch-request.ts';
import type { Email } from '../../shared/domain/email.ts';
import { checkListQuery } from '../../shared/domain/email-filter.ts';
import { emailSummary, emailView } from '../../shared/domain/email-view.ts';
import { checkSendRequest } from '../../shared/domain/send-request.ts';
import { acceptEmail, type Submission } from './accept-email.ts';
import type { ApiPorts, Answer } from './answer.ts';
import { cancelEmail } from './cancel-email.ts';
import {
  ApiError,
  callerOf,
  idempotencyKeyOf,
  json,
  jsonBodyOf,
  problemOf,
  requestIdOf,
  type ApiEvent,
} from './http.ts';
import { listEmails } from './list-emails.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Mails of a batch that are written at once: enough to be quick, few enough not to be throttled. */
const WRITTEN_AT_ONCE = 10;

export const sendAnswer: Answer = async (event, ports) => {
  const submission = {
    caller: callerOf(event),
    requestId: requestIdOf(event),
    idempotencyKey: idempotencyKeyOf(event),
  };
  const { email, replayed } = await accept(jsonBodyOf(event), submission, ports);
  const location = `/v1/emails/${email.outboxId}`;
  return json(202, receipt(email), { location, ...(replayed && { 'idempotent-replayed': 'true' }) });
};

/** 207: each mail has a result of its own, in the order they came. Repeat it with the same key to go on where it broke off. */
export const batchAnswer: Answer = async (event, ports) => {
  const caller = callerOf(event);
  const requestId = requestIdOf(event);
  const key = idempotencyKeyOf(event);
  const checked = checkBatchRequest(jsonBodyOf(event));
  if (!checked.ok) throw new ApiError('VALIDATION_FAILED', { errors: checked.faults });

  const results: object[] = [];
  for (let start = 0; start < checked.emails.length; start += WRITTEN_AT_ONCE) {
    const together = checked.emails.slice(start, start + WRITTEN_AT_ONCE).map(async (received, i) => {
      const index = start + i;
      // A colon is in no key that a caller may choose, so a mail of a batch is never taken for another request.
      const idempotencyKey = key === undefined ? undefined : `${key}:${index}`;
      try {
        const { email, replayed } = await accept(received, { caller, requestId, idempotencyKey }, ports);
        return { index, status: 202, replayed, email: receipt(email) };
      } catch (error) {
        if (!(error instanceof ApiError)) ports.failed(error);
        const problem = problemOf(error, requestId);
        return { index, status: problem.status, error: problem };
      }
    });
    results.push(...(await Promise.all(together)));
  }
  const accepted = results.filter((result) => 'email' in result).length;
  return json(207, { accepted, rejected: results.length - accepted, results });
};

export const listAnswer: Answer = async (event, ports) => {
  const caller = callerOf(event);
  const checked = checkListQuery(event.queryStringParameters ?? {});
  if (!checked.ok) throw new ApiError('VALIDATION_FAILED', { errors: checked.faults });
  const listing = await listEmails(checked.query, caller, { ...ports, keyring: await ports.keyring() });
  if (!listing.ok) throw new ApiError('INVALID_CURSOR');
  return json(200, { emails: listing.emails.map(emailSummary), nextCursor: listing.nextCursor });
};

export const getAnswer: Answer = async (event, ports) => json(200, emailView(await emailOf(event, ports)));

export const cancelAnswer: Answer = async (event, ports) => {
  const result = await cancelEmail(await emailOf(event, ports), ports);
  switch (result.outcome) {
    case 'canceled':
      return json(200, emailView(result.email));
    case 'tooLate':
      throw new ApiError('NOT_CANCELABLE', { detail: result.why });
    case 'unknown':
      throw new ApiError('EMAIL_NOT_FOUND');
  }
};

async function accept(
  received: unknown,
  submitted: Omit<Submission, 'request' | 'received'>,
  ports: ApiPorts,
): Promise<{ email: Email; replayed: boolean }> {
  const checked = checkSendRequest(received, ports.now());
  if (!checked.ok) throw new ApiError('VALIDATION_FAILED', { errors: checked.faults });
  const submission = { ...submitted, request: checked.request, received };
  const result = await acceptEmail(submission, { ...ports, keyring: await ports.keyring() });
  if (result.outcome === 'conflict') {
    throw new ApiError('IDEMPOTENCY_CONFLICT', { detail: `The key belongs to e-mail ${result.outboxId}.` });
  }
  const replayed = result.outcome === 'replayed';
  ports.accepted(result.email, replayed);
  return { email: result.email, replayed };
}

function receipt(email: Email) {
  const { outboxId, requestId, status, createdAt: receivedAt } = email;
  return { outboxId, jobId: outboxId, requestId, status, receivedAt };
}

/** The caller's mail that the path names. Another tenant's is as unknown as one that never was. */
async function emailOf(event: ApiEvent, ports: ApiPorts): Promise<Email> {
  const caller = callerOf(event);
  const outboxId = event.pathParameters?.['outboxId'] ?? '';
  const email = UUID.test(outboxId) ? await ports.emails.get(outboxId.toLowerCase()) : undefined;
  if (!email || email.companyId !== caller.companyId) throw new ApiError('EMAIL_NOT_FOUND');
  return email;
}
