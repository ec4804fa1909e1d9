import type { z } from 'zod';

/** Stops a function at start, naming every variable that is wrong, instead of at the first mail. */
export function readEnv<S extends z.ZodType>(schema: S, source: NodeJS.ProcessEnv): z.infer<S> {
  const parsed = schema.safeParse(source);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`wrong environment: ${faults.join('; ')}`);
}
