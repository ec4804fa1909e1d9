/** Event patterns as EventBridge rules and Lambda's filter criteria share them. */
export type EventPattern = Readonly<Record<string, unknown>>;

export function matchesPattern(pattern: EventPattern, event: unknown): boolean {
  return Object.entries(pattern).every(([key, expected]) => {
    if (key === '$or') return (expected as EventPattern[]).some((branch) => matchesPattern(branch, event));
    const actual = isObject(event) ? event[key] : undefined;
    if (Array.isArray(expected)) return matchesAny(expected, actual);
    if (!isObject(expected)) throw new Error(`Event pattern: "${key}" must be a list or an object.`);
    // A nested pattern may ask that something is absent, so a missing branch is looked into as well.
    return Array.isArray(actual)
      ? actual.some((element) => matchesPattern(expected, element))
      : matchesPattern(expected, actual);
  });
}

/** An array in the event matches if one of its elements does. */
function matchesAny(matchers: readonly unknown[], actual: unknown): boolean {
  return matchers.some((matcher) => {
    if (isObject(matcher) && 'exists' in matcher) return (actual !== undefined) === matcher['exists'];
    const candidates: unknown[] = Array.isArray(actual) ? actual : [actual];
    return candidates.some((value) => matchesOne(matcher, value));
  });
}

function matchesOne(matcher: unknown, value: unknown): boolean {
  if (value === undefined) return false;
  if (!isObject(matcher)) return matcher === value;
  const [operator, argument] = Object.entries(matcher)[0] ?? [];
  switch (operator) {
    case 'prefix':
      return typeof value === 'string' && value.startsWith(String(argument));
    case 'suffix':
      return typeof value === 'string' && value.endsWith(String(argument));
    case 'equals-ignore-case':
      return typeof value === 'string' && value.toLowerCase() === String(argument).toLowerCase();
    case 'anything-but': {
      const excluded: unknown[] = Array.isArray(argument) ? argument : [argument];
      return !excluded.some((each) => matchesOne(each, value));
    }
    case 'numeric':
      return typeof value === 'number' && isWithin(value, argument as Array<string | number>);
    default:
      throw new Error(`Event pattern: the local runner does not know "${operator}".`);
  }
}

/** `[">", 0, "<=", 5]` */
function isWithin(value: number, comparisons: ReadonlyArray<string | number>): boolean {
  for (let i = 0; i < comparisons.length; i += 2) {
    const bound = Number(comparisons[i + 1]);
    const holds =
      (comparisons[i] === '=' && value === bound) ||
      (comparisons[i] === '>' && value > bound) ||
      (comparisons[i] === '>=' && value >= bound) ||
      (comparisons[i] === '<' && value < bound) ||
      (comparisons[i] === '<=' && value <= bound);
    if (!holds) return false;
  }
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
