import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2, APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { LOCAL_ACCOUNT, LOCAL_REGION } from '../template/cloudformation.ts';
import type { RouteMatch } from './routes.ts';

/** Bodies of any other type reach the function in base64. */
const TEXT_TYPES = /^(text\/|application\/(json|xml|javascript))/i;

/** What a payload format 2.0 event says about the request, apart from its body and authorizer. */
export type RequestPart = Omit<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'>;

/** API Gateway decodes the path; one that cannot be decoded is kept as it came. */
export function decodedPath(url: string): string {
  const raw = url.split('?')[0] ?? '/';
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

export function requestPart(
  request: IncomingMessage,
  match: RouteMatch,
  apiId: string,
  now: number,
): RequestPart {
  const url = request.url ?? '/';
  const rawPath = decodedPath(url);
  const rawQueryString = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const query = joinedByName([...new URLSearchParams(rawQueryString)]);
  const { cookie, ...headers } = requestHeaders(request);
  const sourceIp = request.socket.remoteAddress ?? '';
  return {
    version: '2.0',
    routeKey: match.route.key,
    rawPath,
    rawQueryString,
    ...(cookie !== undefined && { cookies: cookie.split(/;\s*/) }),
    headers,
    ...(rawQueryString !== '' && { queryStringParameters: query }),
    requestContext: {
      accountId: LOCAL_ACCOUNT,
      apiId,
      domainName: headers['host'] ?? '',
      domainPrefix: apiId,
      http: {
        method: request.method ?? 'GET',
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: match.route.key,
      stage: '$default',
      time: commonLogTime(now),
      timeEpoch: now,
    },
    ...(Object.keys(match.pathParameters).length > 0 && { pathParameters: { ...match.pathParameters } }),
  };
}

export function integrationEvent(
  part: RequestPart,
  body: Buffer,
  authorizerContext: Readonly<Record<string, unknown>> | undefined,
) {
  const isText = TEXT_TYPES.test(part.headers['content-type'] ?? '');
  const context = authorizerContext && { authorizer: { lambda: authorizerContext } };
  return {
    ...part,
    requestContext: { ...part.requestContext, ...context },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

export function authorizerEvent(
  part: RequestPart,
  identitySource: readonly string[],
): APIGatewayRequestAuthorizerEventV2 {
  const { apiId, http } = part.requestContext;
  const api = `arn:aws:execute-api:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${apiId}`;
  return {
    ...part,
    version: '2.0',
    type: 'REQUEST',
    routeArn: `${api}/$default/${http.method}${part.rawPath}`,
    identitySource: [...identitySource],
    cookies: part.cookies ?? [],
  } as APIGatewayRequestAuthorizerEventV2;
}

function requestHeaders(request: IncomingMessage): Record<string, string> {
  const pairs: Array<[string, string]> = [];
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    pairs.push([(request.rawHeaders[i] ?? '').toLowerCase(), request.rawHeaders[i + 1] ?? '']);
  }
  pairs.push(['x-forwarded-for', request.socket.remoteAddress ?? '']);
  return {
    ...joinedByName(pairs),
    'x-forwarded-port': String(request.socket.localPort ?? ''),
    'x-forwarded-proto': 'http',
  };
}

/** Repeated names become one value, joined by commas. */
function joinedByName(pairs: ReadonlyArray<[string, string]>): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of pairs) {
    const earlier = joined.get(name);
    joined.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return Object.fromEntries(joined);
}

/** `12/Mar/2020:19:03:58 +0000` */
function commonLogTime(now: number): string {
  const [, day, month, year, time] = new Date(now).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
