/** A route key such as `GET /v1/emails/{outboxId}`, `ANY /{proxy+}` or `$default`. */
export interface Route {
  readonly key: string;
  readonly integration: string;
  readonly authorizer: string | undefined;
}

export interface RouteMatch {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** How specific a segment is, the better the smaller. */
const LITERAL = 0;
const PARAMETER = 1;
const GREEDY = 2;

/** API Gateway's choice: the most specific path, then a named method over ANY, then `$default`. */
export function matchRoute(routes: readonly Route[], method: string, path: string): RouteMatch | undefined {
  const candidates = routes.flatMap((route) => {
    const [routeMethod, routePath] = route.key.split(' ');
    if (routePath === undefined) return [];
    if (routeMethod !== method && routeMethod !== 'ANY') return [];
    const match = matchPath(routePath, path);
    if (!match) return [];
    return [{ route, ...match, rank: [...match.rank, routeMethod === 'ANY' ? 1 : 0] }];
  });
  candidates.sort((a, b) => compareRanks(a.rank, b.rank));
  const best = candidates[0];
  if (best) return { route: best.route, pathParameters: best.pathParameters };
  const fallback = routes.find((route) => route.key === '$default');
  return fallback && { route: fallback, pathParameters: {} };
}

function matchPath(
  pattern: string,
  path: string,
): { pathParameters: Record<string, string>; rank: number[] } | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  const pathParameters: Record<string, string> = {};
  const rank: number[] = [];
  for (const [index, segment] of wanted.entries()) {
    const greedy = /^\{(.+)\+\}$/.exec(segment)?.[1];
    if (greedy !== undefined) {
      const rest = given.slice(index).join('/');
      if (rest === '') return undefined;
      return { pathParameters: { ...pathParameters, [greedy]: rest }, rank: [...rank, GREEDY] };
    }
    const actual = given[index];
    if (actual === undefined) return undefined;
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name === undefined && segment !== actual) return undefined;
    if (name !== undefined) {
      if (actual === '') return undefined;
      pathParameters[name] = actual;
    }
    rank.push(name === undefined ? LITERAL : PARAMETER);
  }
  return given.length === wanted.length ? { pathParameters, rank } : undefined;
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const difference = (a[i] ?? LITERAL) - (b[i] ?? LITERAL);
    if (difference !== 0) return difference;
  }
  return 0;
}
