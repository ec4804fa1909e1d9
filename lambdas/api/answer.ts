import type { Email } from '../../shared/domain/email.ts';
import type { EmailList } from '../../shared/ports/email-list.ts';
import type { AcceptPorts } from './accept-email.ts';
import { batchAnswer, cancelAnswer, getAnswer, listAnswer, sendAnswer } from './email-answers.ts';
import { ApiError, json, type ApiEvent, type ApiResult } from './http.ts';
import { methodsOf, type RouteKey } from './routes.ts';

export interface ApiPorts extends Omit<AcceptPorts, 'keyring' | 'emails'> {
  readonly emails: AcceptPorts['emails'] & EmailList;
  readonly keyring: () => Promise<AcceptPorts['keyring']>;
  readonly retentionDays: number;
  readonly accepted: (email: Email, replayed: boolean) => void;
  /** A mail of a batch could not be written, for a reason that is ours. */
  readonly failed: (error: unknown) => void;
}

export type Answer = (event: ApiEvent, ports: ApiPorts) => Promise<ApiResult>;

const answers: Record<RouteKey, Answer> = {
  'POST /v1/email/send': sendAnswer,
  'POST /v1/email/batch': batchAnswer,
  'GET /v1/emails': listAnswer,
  'GET /v1/emails/{outboxId}': getAnswer,
  'DELETE /v1/emails/{outboxId}': cancelAnswer,
  'GET /health': () => Promise.resolve(json(200, { status: 'ok' })),
};

/** Answers a routed request; what API Gateway could not route arrives with the key `$default`. */
export async function answer(event: ApiEvent, ports: ApiPorts): Promise<ApiResult> {
  const found = (answers as Partial<Record<string, Answer>>)[event.routeKey];
  if (found) return found(event, ports);
  const methods = methodsOf(event.rawPath);
  if (methods.length === 0) throw new ApiError('NOT_FOUND');
  throw new ApiError('METHOD_NOT_ALLOWED', { headers: { allow: methods.join(', ') } });
}
