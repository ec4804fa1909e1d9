import { z } from 'zod';
import { readEnv } from '../../shared/adapters/read-env.ts';

export const envSchema = z.object({
  EMAIL_TABLE: z.string().min(1),
  TENANT_TABLE: z.string().min(1),
  BODY_BUCKET: z.string().min(1),
  CONFIGURATION_SET: z.string().min(1),
  DEFAULT_FROM: z.string().min(1),
  EXPRESS_QUEUE_URL: z.url(),
  BULK_QUEUE_URL: z.url(),
  BACKOFF_CURVE: z.enum(['steps', 'exponential']),
  SENT_RETENTION_DAYS: z.coerce.number().int().positive(),
  /** All instances that may run at once; each paces itself to its share of SES's send rate. */
  SENDER_CONCURRENCY: z.coerce.number().int().positive(),
});

export type SenderEnv = z.infer<typeof envSchema>;

export const env = () => readEnv(envSchema, process.env);
