import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { InvocationResult, LambdaFunction } from '../lambda/lambda-function.ts';
import type { LambdaHost } from '../lambda/lambda-host.ts';
import type { Stack } from '../template/stack.ts';
import { Authorizer } from './authorizer.ts';
import { functionResponse, gatewayMessage, type HttpResponse } from './http-response.ts';
import { decodedPath, integrationEvent, requestPart } from './request-event.ts';
import { matchRoute, type Route } from './routes.ts';

const REQUEST_LIMIT_BYTES = 10 * 1024 * 1024;
/** What Lambda takes in one synchronous invocation. */
const EVENT_LIMIT_BYTES = 6 * 1024 * 1024;
const LONGEST_INTEGRATION_MS = 30_000;

interface Integration {
  readonly target: LambdaFunction;
  readonly timeoutMs: number;
}

/** The template's HTTP API: its routes, their Lambda integrations and authorizers. */
export function httpApi(stack: Stack, host: LambdaHost, clock: Clock): RequestListener {
  const integrations = readIntegrations(stack, host);
  const authorizers = readAuthorizers(stack, host, clock);
  const routes = readRoutes(stack);
  const apiId = stack.ofType('AWS::ApiGatewayV2::Api')[0]?.id ?? '';

  const answer = async (request: IncomingMessage): Promise<HttpResponse> => {
    const match = matchRoute(routes, request.method ?? 'GET', decodedPath(request.url ?? '/'));
    if (!match) return gatewayMessage(404, 'Not Found');
    const body = await readLimited(request, REQUEST_LIMIT_BYTES);
    if (!body) return gatewayMessage(413, 'Request Entity Too Large');
    const part = requestPart(request, match, apiId, clock.now());

    const authorizer = authorizers.get(match.route.authorizer ?? '');
    const authorization = await authorizer?.authorize(part);
    if (authorization?.kind === 'unauthorized') return gatewayMessage(401, 'Unauthorized');
    if (authorization?.kind === 'denied') return gatewayMessage(403, 'Forbidden');
    if (authorization?.kind === 'failed') return gatewayMessage(500, 'Internal Server Error');

    const integration = integrations.get(match.route.integration);
    if (!integration) return gatewayMessage(500, 'Internal Server Error');
    const event = integrationEvent(part, body, authorization?.context);
    if (Buffer.byteLength(JSON.stringify(event)) > EVENT_LIMIT_BYTES) {
      return gatewayMessage(413, 'Request Entity Too Large');
    }
    const result = await withinTime(integration.target.invoke(event), integration.timeoutMs);
    if (result === 'timeout') return gatewayMessage(503, 'Service Unavailable');
    return result.ok ? functionResponse(result.payload) : gatewayMessage(500, 'Internal Server Error');
  };

  return (request, response) => {
    void answer(request)
      .catch(() => gatewayMessage(500, 'Internal Server Error'))
      .then((answered) => write(response, answered));
  };
}

function write(response: ServerResponse, { statusCode, headers, body }: HttpResponse): void {
  // A body that was refused half-way is still being sent: the connection cannot be used again.
  if (statusCode === 413) response.setHeader('connection', 'close');
  response.writeHead(statusCode, { ...headers, 'content-length': body.length });
  response.end(body);
}

/** Undefined for a body that is too large. */
async function readLimited(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Read to the end all the same: a client that is still writing would not see the answer.
    if (size <= limit) chunks.push(chunk);
  }
  return size > limit ? undefined : Buffer.concat(chunks);
}

async function withinTime(
  invocation: Promise<InvocationResult>,
  timeoutMs: number,
): Promise<InvocationResult | 'timeout'> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs);
  });
  try {
    return await Promise.race([invocation, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function readRoutes(stack: Stack): Route[] {
  return stack.ofType('AWS::ApiGatewayV2::Route').map((resource) => {
    const properties = resource.properties() as {
      RouteKey: string;
      Target: string;
      AuthorizerId?: string;
      AuthorizationType?: string;
    };
    return {
      key: properties.RouteKey,
      integration: properties.Target.replace(/^integrations\//, ''),
      authorizer: properties.AuthorizationType === 'CUSTOM' ? properties.AuthorizerId : undefined,
    };
  });
}

function readIntegrations(stack: Stack, host: LambdaHost): Map<string, Integration> {
  return new Map(
    stack.ofType('AWS::ApiGatewayV2::Integration').map((resource) => {
      const properties = resource.properties() as { IntegrationUri: string; TimeoutInMillis?: number };
      const timeoutMs = properties.TimeoutInMillis ?? LONGEST_INTEGRATION_MS;
      return [stack.ref(resource.id), { target: host.find(properties.IntegrationUri), timeoutMs }];
    }),
  );
}

function readAuthorizers(stack: Stack, host: LambdaHost, clock: Clock): Map<string, Authorizer> {
  return new Map(
    stack.ofType('AWS::ApiGatewayV2::Authorizer').map((resource) => {
      const properties = resource.properties() as {
        AuthorizerUri: string;
        IdentitySource?: string[];
        AuthorizerResultTtlInSeconds?: number;
      };
      const settings = {
        identitySources: properties.IdentitySource ?? [],
        resultTtlMs: (properties.AuthorizerResultTtlInSeconds ?? 0) * 1000,
      };
      return [stack.ref(resource.id), new Authorizer(host.find(properties.AuthorizerUri), settings, clock)];
    }),
  );
}
