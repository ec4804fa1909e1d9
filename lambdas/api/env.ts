import { z } from 'zod';
import { readEnv } from '../../shared/adapters/read-env.ts';

export const envSchema = z.object({
  EMAIL_TABLE: z.string().min(1),
  BODY_BUCKET: z.string().min(1),
  KEYRING_SECRET_ARN: z.string().min(1),
  SENT_RETENTION_DAYS: z.coerce.number().int().positive(),
});

export const env = () => readEnv(envSchema, process.env);
