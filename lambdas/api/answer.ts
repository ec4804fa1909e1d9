import type { Email } from '../../shared/domain/email.ts';
import { emailView } from '../../shared/domain/email-view.ts';
import { checkSendRequest } from '../../shared/domain/send-request.ts';
import { acceptEmail, type AcceptPorts } from './accept-email.ts';
import { cancelEmail } from './cancel-email.ts';
import {
  ApiError,
  callerOf,
  idempotencyKeyOf,
  json,
  jsonBodyOf,
  requestIdOf,
  type ApiEvent,
  type ApiResult,
} from './http.ts';
import { methodsOf, type RouteKey } from './routes.ts';

export interface ApiPorts extends Omit<AcceptPorts, 'keyring'> {
  readonly keyring: () => Promise<AcceptPorts['keyring']>;
  readonly accepted: (email: Email, replayed: boolean) => void;
}

type Answer = (event: ApiEvent, ports: ApiPorts) => Promise<ApiResult>;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const answers: Record<RouteKey, Answer> = {
  'POST /v1/email/send': async (event, ports) => {
    const caller = callerOf(event);
    const idempotencyKey = idempotencyKeyOf(event);
    const received = jsonBodyOf(event);
    const checked = checkSendRequest(received, ports.now());
    if (!checked.ok) throw new ApiError('VALIDATION_FAILED', { errors: checked.faults });
    const submission = {
      request: checked.request,
      received,
      caller,
      requestId: requestIdOf(event),
      idempotencyKey,
    };
    const result = await acceptEmail(submission, { ...ports, keyring: await ports.keyring() });
    if (result.outcome === 'conflict') {
      throw new ApiError('IDEMPOTENCY_CONFLICT', { detail: `The key belongs to e-mail ${result.outboxId}.` });
    }
    const { email } = result;
    const replayed = result.outcome === 'replayed';
    ports.accepted(email, replayed);
    return json(
      202,
      {
        outboxId: email.outboxId,
        jobId: email.outboxId,
        requestId: email.requestId,
        status: email.status,
        receivedAt: email.createdAt,
      },
      { location: `/v1/emails/${email.outboxId}`, ...(replayed && { 'idempotent-replayed': 'true' }) },
    );
  },

  'GET /v1/emails/{outboxId}': async (event, ports) => json(200, emailView(await emailOf(event, ports))),

  'DELETE /v1/emails/{outboxId}': async (event, ports) => {
    const result = await cancelEmail(await emailOf(event, ports), ports);
    switch (result.outcome) {
      case 'canceled':
        return json(200, emailView(result.email));
      case 'tooLate':
        throw new ApiError('NOT_CANCELABLE', { detail: result.why });
      case 'unknown':
        throw new ApiError('EMAIL_NOT_FOUND');
    }
  },

  'GET /health': () => Promise.resolve(json(200, { status: 'ok' })),
};

/** The caller's mail that the path names. Another tenant's is as unknown as one that never was. */
async function emailOf(event: ApiEvent, ports: ApiPorts): Promise<Email> {
  const caller = callerOf(event);
  const outboxId = event.pathParameters?.['outboxId'] ?? '';
  const email = UUID.test(outboxId) ? await ports.emails.get(outboxId.toLowerCase()) : undefined;
  if (!email || email.companyId !== caller.companyId) throw new ApiError('EMAIL_NOT_FOUND');
  return email;
}

/** Answers a routed request; what API Gateway could not route arrives with the key `$default`. */
export async function answer(event: ApiEvent, ports: ApiPorts): Promise<ApiResult> {
  const found = (answers as Partial<Record<string, Answer>>)[event.routeKey];
  if (found) return found(event, ports);
  const methods = methodsOf(event.rawPath);
  if (methods.length === 0) throw new ApiError('NOT_FOUND');
  throw new ApiError('METHOD_NOT_ALLOWED', { headers: { allow: methods.join(', ') } });
}
