import type { Clock } from '../clock.ts';
import type { Invocable } from '../lambda/lambda-function.ts';
import { authorizerEvent, type RequestPart } from './request-event.ts';

export type Authorization =
  | { readonly kind: 'allowed'; readonly context: Readonly<Record<string, unknown>> }
  | { readonly kind: 'denied' }
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'failed' };

export interface AuthorizerSettings {
  readonly identitySources: readonly string[];
  readonly resultTtlMs: number;
}

/** A REQUEST authorizer with simple responses, its results cached by identity source. */
export class Authorizer {
  private readonly cache = new Map<string, { authorization: Authorization; until: number }>();

  constructor(
    private readonly target: Invocable,
    private readonly settings: AuthorizerSettings,
    private readonly clock: Clock,
  ) {}

  async authorize(part: RequestPart): Promise<Authorization> {
    const identity: string[] = [];
    for (const source of this.settings.identitySources) {
      const value = identityValue(source, part);
      if (value === undefined || value === '') return { kind: 'unauthorized' };
      identity.push(value);
    }
    const key = JSON.stringify(identity);
    const cached = this.cache.get(key);
    if (cached && cached.until > this.clock.now()) return cached.authorization;
    const authorization = await this.ask(part, identity);
    // Without an identity source there is nothing to tell callers apart by, so nothing is kept.
    if (identity.length > 0 && this.settings.resultTtlMs > 0 && authorization.kind !== 'failed') {
      this.cache.set(key, { authorization, until: this.clock.now() + this.settings.resultTtlMs });
    }
    return authorization;
  }

  private async ask(part: RequestPart, identity: readonly string[]): Promise<Authorization> {
    const result = await this.target.invoke(authorizerEvent(part, identity));
    if (!result.ok) return { kind: 'failed' };
    const response = result.payload as { isAuthorized?: unknown; context?: Record<string, unknown> } | null;
    if (typeof response?.isAuthorized !== 'boolean') return { kind: 'failed' };
    return response.isAuthorized ? { kind: 'allowed', context: response.context ?? {} } : { kind: 'denied' };
  }
}

function identityValue(source: string, part: RequestPart): string | undefined {
  const [, scope, name = ''] = /^\$(request\.header|request\.querystring|context)\.(.+)$/.exec(source) ?? [];
  if (scope === 'request.header') return part.headers[name.toLowerCase()];
  if (scope === 'request.querystring') return part.queryStringParameters?.[name];
  if (name === 'identity.sourceIp') return part.requestContext.http.sourceIp;
  if (name === 'routeKey') return part.routeKey;
  throw new Error(`The local runner does not know the identity source ${source}.`);
}
