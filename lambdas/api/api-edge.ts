import type { MiddlewareObj } from '@middy/core';
import type { Logger } from '../../shared/adapters/logger.ts';
import { ApiError, problemResult, requestIdOf, type ApiEvent, type ApiResult } from './http.ts';

/** Every answer carries the request id; every error leaves as a problem, with nothing of ours inside. */
export function apiEdge(logger: Logger): MiddlewareObj<ApiEvent, ApiResult> {
  return {
    before: ({ event }) => {
      logger.resetKeys();
      logger.appendKeys({ requestId: requestIdOf(event), route: event.routeKey });
    },
    after: ({ event, response }) => {
      if (response) response.headers = { ...response.headers, 'x-request-id': requestIdOf(event) };
    },
    onError: (request) => {
      const { event, error } = request;
      const requestId = requestIdOf(event);
      if (!(error instanceof ApiError)) logger.error('request failed', { error });
      const { headers, ...result } = problemResult(error, requestId);
      request.response = { ...result, headers: { ...headers, 'x-request-id': requestId } };
    },
  };
}
