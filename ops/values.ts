import { isIP, SocketAddress } from 'node:net';
import { z } from 'zod';
import { keyIdOf } from '../shared/domain/api-key.ts';
import { isEmailAddress } from '../shared/domain/email-address.ts';

/** One kind of value on the command line. `allowed` completes the sentence "allowed is …". */
export interface Value<T> {
  readonly placeholder: string;
  readonly allowed: string;
  /** Undefined for what is not allowed. */
  read(text: string): T | undefined;
}

const LONGEST_NAME = 100;
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Any text that may name something; whether it does is for the store to say. */
function identifier(placeholder: string): Value<string> {
  return {
    placeholder,
    allowed: 'an id, without spaces',
    read: (text) => (/^\S{1,200}$/.test(text) ? text : undefined),
  };
}

export const companyId = identifier('COMPANY-ID');

/** A whole key will do: whoever finds a leaked one has it in hand. */
export const keyId: Value<string> = {
  placeholder: 'KEY-ID',
  allowed: 'the id of a key, as `keys list` shows it, or a whole key',
  read: (text) => keyIdOf(text) ?? (/^\S{1,60}$/.test(text) ? text : undefined),
};

export const newId: Value<string> = {
  placeholder: 'UUID',
  allowed: 'a UUID, such as 3f0c1d2e-9a4b-4c5d-8e6f-7a8b9c0d1e2f',
  read: (text) => (UUID.test(text.toLowerCase()) ? text.toLowerCase() : undefined),
};

export const displayName: Value<string> = {
  placeholder: 'NAME',
  allowed: `1 to ${LONGEST_NAME} characters on one line`,
  read: (text) => {
    const name = text.trim();
    return name !== '' && name.length <= LONGEST_NAME && !/\p{Cc}/u.test(name) ? name : undefined;
  },
};

export const emailAddress: Value<string> = {
  placeholder: 'ADDRESS',
  allowed: 'a plain e-mail address, such as no-reply@example.com',
  read: (text) => (isEmailAddress(text) ? text : undefined),
};

/** In the one spelling in which the authorizer compares it. */
export const ipAddress: Value<string> = {
  placeholder: 'IP',
  allowed: 'one IPv4 or IPv6 address (no range)',
  read: (text) => {
    const family = isIP(text);
    if (family === 0 || text.includes('%')) return undefined;
    return family === 4 ? text : new SocketAddress({ address: text, family: 'ipv6' }).address;
  },
};

/** Read as it is written; that it lies ahead is for the command to check. */
export const moment: Value<number> = {
  placeholder: 'TIME',
  allowed: 'a moment with its zone, such as 2030-12-31T23:59:59Z',
  read: (text) => {
    const parsed = z.iso.datetime({ offset: true }).safeParse(text);
    return parsed.success ? Date.parse(parsed.data) : undefined;
  },
};

export function wholeNumber(from: number, to: number): Value<number> {
  return {
    placeholder: `${from}-${to}`,
    allowed: `a whole number from ${from} to ${to}`,
    read: (text) => {
      const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
      return number >= from && number <= to ? number : undefined;
    },
  };
}

export function oneOf<const T extends string>(...words: readonly T[]): Value<T> {
  return {
    placeholder: words.join('|'),
    allowed: `one of ${words.join(', ')}`,
    read: (text) => words.find((word) => word === text),
  };
}

type DurationText = `${number}${keyof typeof UNIT_MS}`;

/** In milliseconds. */
export function duration(shortest: DurationText, longest: DurationText): Value<number> {
  const [from, to] = [milliseconds(shortest) ?? 0, milliseconds(longest) ?? 0];
  return {
    placeholder: 'DURATION',
    allowed: `minutes, hours or days such as 30m, 24h or 90d, from ${shortest} to ${longest}`,
    read: (text) => {
      const ms = milliseconds(text);
      return ms !== undefined && ms >= from && ms <= to ? ms : undefined;
    },
  };
}

function milliseconds(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
