import { invalidValue } from './errors.ts';

/** A whole number from `least` to `most`, or nothing at all. */
export function optionalInteger(
  parameter: string,
  value: number | undefined,
  least: number,
  most: number,
): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Number.isInteger(value) || value < least || value > most) {
    throw invalidValue(parameter, value, `Must be between ${least} and ${most}, if provided.`);
  }
  return value;
}

export function optionalSeconds(
  parameter: string,
  value: number | undefined,
  most: number,
): number | undefined {
  return optionalInteger(parameter, value, 0, most);
}
