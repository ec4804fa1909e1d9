import type { MiddlewareObj } from '@middy/core';
import type { Logger } from '../../shared/adapters/logger.ts';
import { ApiError, problemResult, requestIdOf, type ApiEvent, type ApiResult } from './http.ts';

/** DynamoDB, S3 and Secrets Manager say by these names that trying again later will help. */
const PASSING =
  /Throttl|ProvisionedThroughput|RequestLimit|TransactionConflict|TransactionInProgress|ServiceUnavailable|InternalServerError|TimeoutError|ECONN/;

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
      if (error instanceof ApiError) {
        request.response = problemResult(error.code, requestId, error.more);
      } else {
        logger.error('request failed', { error });
        request.response = problemResult(
          PASSING.test(`${error?.name}`) ? 'UNAVAILABLE' : 'INTERNAL_ERROR',
          requestId,
        );
      }
      request.response.headers = { ...request.response.headers, 'x-request-id': requestId };
    },
  };
}
