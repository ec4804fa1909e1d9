import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { z } from 'zod';
import { isEmailAddress } from '../shared/domain/email-address.ts';

/** Stages on which nobody else's mail is sent, so an example sender will do. */
const STAGES_WITHOUT_SENDER = ['local', 'dev'];
const EXAMPLE_SENDER = 'no-reply@example.com';

const logRetentions = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** `cdk -c key=value` hands every value over as a string. */
function count(from: number, to: number) {
  const number = z.number().int().min(from).max(to);
  return z
    .union([number, z.string().regex(/^\d+$/).transform(Number).pipe(number)])
    .describe(`a whole number from ${from} to ${to}`);
}

function oneOf<const T extends string>(...values: T[]) {
  return z.enum(values).describe(`one of ${values.join(', ')}`);
}

/** Each description completes the sentence "allowed is …" in the error that `readConfig` throws. */
const settings = {
  stage: z
    .string()
    .regex(/^[a-z0-9-]{1,16}$/)
    .describe('1 to 16 of a-z, 0-9 and -'),
  defaultFrom: z.string().refine(isEmailAddress).describe('the address that mails are sent from'),
  domain: z
    .string()
    .refine((domain) => isEmailAddress(`postmaster@${domain}`))
    .describe('the domain to verify with SES')
    .optional(),
  logLevel: oneOf('DEBUG', 'INFO', 'WARN', 'ERROR').default('INFO'),
  expressConcurrency: count(2, 1000).default(20),
  bulkConcurrency: count(2, 1000).default(10),
  backoffCurve: oneOf('steps', 'exponential').default('steps'),
  sentRetentionDays: count(30, 3650).default(30),
  logRetentionDays: count(1, 3653)
    .refine((days): days is RetentionDays => logRetentions.includes(days))
    .describe(`one of ${logRetentions.join(', ')}`)
    .default(30),
  requestRate: count(1, 10_000).default(200),
  requestBurst: count(1, 5_000).default(400),
};

export const deployConfigSchema = z.strictObject(settings);

export type DeployConfig = z.infer<typeof deployConfigSchema>;

/**
 * Reads the deploy configuration from CDK context: the `emailGateway` object of cdk.json, with single
 * values from the command line (`-c stage=prod`) over it. Throws one error that names every wrong key.
 */
export function readConfig(
  lookup: (key: string) => unknown,
  contextKeys: readonly string[] = [],
): DeployConfig {
  const inFile = lookup('emailGateway') ?? {};
  if (typeof inFile !== 'object' || Array.isArray(inFile)) {
    throw new Error(`emailGateway = ${JSON.stringify(inFile)}: allowed is an object`);
  }
  const given: Record<string, unknown> = { stage: 'dev', ...inFile };
  // CDK's own context keys have a colon, a dash or an @ in them; a plain word is meant for us.
  const meantForUs = contextKeys.filter((key) => /^[A-Za-z]+$/.test(key) && key !== 'emailGateway');
  for (const key of new Set([...Object.keys(settings), ...meantForUs])) {
    const single = lookup(key);
    if (single !== undefined) given[key] = single;
  }
  if (STAGES_WITHOUT_SENDER.includes(String(given.stage))) given.defaultFrom ??= EXAMPLE_SENDER;

  const parsed = deployConfigSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map(String) : [String(issue.path[0])],
  );
  const lines = [...new Set(faults)].map((key) => describeFault(key, given[key]));
  throw new Error(['The deploy configuration is wrong:', ...lines].join('\n  '));
}

function describeFault(key: string, value: unknown): string {
  const given = `${key} = ${value === undefined ? 'missing' : JSON.stringify(value)}`;
  if (!(key in settings)) return `${given}: no such key; the keys are ${Object.keys(settings).join(', ')}`;
  return `${given}: allowed is ${allowedValues(settings[key as keyof typeof settings])}`;
}

/** The description sits inside what `.default()` and `.optional()` wrap. */
function allowedValues(setting: z.ZodType): string | undefined {
  if (setting instanceof z.ZodDefault || setting instanceof z.ZodOptional) {
    return allowedValues(setting.unwrap() as z.ZodType);
  }
  return setting.description;
}
