import { z } from 'zod';
import { SES_ERROR_NAMES } from './errors.ts';
import { sameAddress } from './mail.ts';

const FOREVER = -1;
const LONGEST_DELAY_MS = 600_000;

/** A failure without a type of its own is ordered by its HTTP status, as a number or as text. */
const STATUS_PATTERN = /^[45]\d\d$/;

const FAULT_NAMES = [...SES_ERROR_NAMES, 'RESET', 'HANG'] as const;

const faultError = z
  .union([z.string(), z.number()], { error: 'is missing' })
  .refine((error) => STATUS_PATTERN.test(String(error)) || FAULT_NAMES.some((name) => name === error), {
    error: `must be an HTTP status of 400 to 599 or one of ${FAULT_NAMES.join(', ')}`,
  })
  .transform((error) =>
    STATUS_PATTERN.test(String(error)) ? Number(error) : (error as (typeof FAULT_NAMES)[number]),
  );

const faultSchema = z.strictObject({
  to: z.string().min(1).optional(),
  error: faultError,
  message: z.string().optional(),
  times: z
    .union([z.int().min(1), z.literal(FOREVER)], { error: 'must be 1 or more, or -1 for ever' })
    .default(1),
  delayMs: z.int().min(0).max(LONGEST_DELAY_MS).default(0),
  afterAccept: z.boolean().default(false),
  probability: z.number().min(0).max(1).default(1),
});

export type Fault = z.infer<typeof faultSchema>;

/** Throws a ZodError that names every field that is wrong. */
export function parseFault(json: unknown): Fault {
  return faultSchema.parse(json);
}

/** The failures that were ordered; each send takes the first one that fits it. */
export class Faults {
  private pending: Fault[] = [];

  add(fault: Fault): void {
    this.pending.push(fault);
  }

  list(): readonly Fault[] {
    return this.pending;
  }

  clear(): void {
    this.pending = [];
  }

  take(recipients: readonly string[]): Fault | undefined {
    const index = this.pending.findIndex(
      ({ to, probability }) =>
        (to === undefined || recipients.some((address) => sameAddress(address, to))) &&
        Math.random() < probability,
    );
    const fault = this.pending[index];
    if (!fault || fault.times === FOREVER) return fault;
    if (fault.times > 1) this.pending[index] = { ...fault, times: fault.times - 1 };
    else this.pending.splice(index, 1);
    return fault;
  }
}
