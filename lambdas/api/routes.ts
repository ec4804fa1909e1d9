/** The routes of the HTTP API. The construct makes one API Gateway route of each; the handler answers them. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  readonly auth: boolean;
}

export const routes = [
  { method: 'POST', path: '/v1/email/send', auth: true },
  { method: 'POST', path: '/v1/email/batch', auth: true },
  { method: 'GET', path: '/v1/emails', auth: true },
  { method: 'GET', path: '/v1/emails/{outboxId}', auth: true },
  { method: 'DELETE', path: '/v1/emails/{outboxId}', auth: true },
  { method: 'GET', path: '/health', auth: false },
] as const satisfies readonly Route[];

type KeyOf<R> = R extends Route ? `${R['method']} ${R['path']}` : never;
export type RouteKey = KeyOf<(typeof routes)[number]>;

/** For a request that matched no route: the methods its path does have. None means the path is unknown. */
export function methodsOf(path: string): string[] {
  const matching = routes.filter((route) => {
    const parts = route.path.split('/');
    const given = path.split('/');
    return (
      parts.length === given.length && parts.every((part, i) => part.startsWith('{') || part === given[i])
    );
  });
  return matching.map((route) => route.method);
}
