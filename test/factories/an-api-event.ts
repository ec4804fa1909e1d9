import type { ApiEvent } from '../../lambdas/api/http.ts';
import type { RouteKey } from '../../lambdas/api/routes.ts';
import type { Verdict } from '../../shared/domain/api-key.ts';
import { COMPANY_ID } from './a-company.ts';

export const ALLOWED: Verdict = {
  verdict: 'allowed',
  companyId: COMPANY_ID,
  keyId: 'abcdefghijkl',
  mode: 'live',
  bulkLanes: 4,
};

export interface Asked {
  readonly route?: RouteKey | '$default';
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly verdict?: Verdict | undefined;
  readonly outboxId?: string;
  readonly body?: string;
  readonly base64?: boolean;
}

/** A request as API Gateway hands it over, with the authorizer's verdict. */
export function anApiEvent(asked: Asked = {}): ApiEvent {
  const { route = 'POST /v1/email/send', outboxId, body, base64 = false } = asked;
  const verdict = 'verdict' in asked ? asked.verdict : ALLOWED;
  return {
    version: '2.0',
    routeKey: route,
    rawPath: asked.path ?? '/v1/email/send',
    rawQueryString: '',
    headers: { 'content-type': 'application/json', ...asked.headers },
    requestContext: { requestId: 'gateway-request-1', authorizer: { lambda: verdict } },
    ...(outboxId !== undefined && { pathParameters: { outboxId } }),
    ...(body !== undefined && { body }),
    isBase64Encoded: base64,
  } as unknown as ApiEvent;
}
