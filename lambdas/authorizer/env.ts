import { z } from 'zod';
import { readEnv } from '../../shared/adapters/read-env.ts';

export const envSchema = z.object({
  TENANT_TABLE: z.string().min(1),
  KEYRING_SECRET_ARN: z.string().min(1),
});

export const env = () => readEnv(envSchema, process.env);
