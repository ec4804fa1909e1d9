import { z } from 'zod';
import { readEnv } from '../../shared/adapters/read-env.ts';

export const envSchema = z.object({
  EXPRESS_QUEUE_URL: z.url(),
  BULK_QUEUE_URL: z.url(),
});

export const env = () => readEnv(envSchema, process.env);
