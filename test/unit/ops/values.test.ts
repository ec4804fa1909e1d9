import { describe, expect, it } from 'vitest';
import {
  companyId,
  displayName,
  duration,
  emailAddress,
  ipAddress,
  keyId,
  moment,
  newId,
  oneOf,
  wholeNumber,
  type Value,
} from '../../../ops/values.ts';

const KEY = `eg_live_abcdefgh2345_${'a'.repeat(40)}`;

describe('a value is read as', () => {
  it.each<[string, Value<unknown>, string, unknown]>([
    ['a number', wholeNumber(1, 8), '8', 8],
    ['a word', oneOf('live', 'test'), 'test', 'test'],
    ['minutes', duration('1m', '90d'), '30m', 1_800_000],
    ['hours', duration('1m', '90d'), '24h', 86_400_000],
    ['days, up to the longest', duration('1m', '90d'), '90d', 90 * 86_400_000],
    ['a moment', moment, '2030-12-31T23:59:59Z', Date.UTC(2030, 11, 31, 23, 59, 59)],
    ['a moment elsewhere', moment, '2030-12-31T20:59:59-03:00', Date.UTC(2030, 11, 31, 23, 59, 59)],
    ['an IPv4 address', ipAddress, '203.0.113.7', '203.0.113.7'],
    ['an IPv6 address in its one spelling', ipAddress, '2001:0DB8:0:0:0:0:0:7', '2001:db8::7'],
    [
      'a UUID in lower case',
      newId,
      '3F0C1D2E-9A4B-4C5D-8E6F-7A8B9C0D1E2F',
      '3f0c1d2e-9a4b-4c5d-8e6f-7a8b9c0d1e2f',
    ],
    ['a name without the space around it', displayName, ' Padaria São João ', 'Padaria São João'],
    ['an address', emailAddress, 'no-reply@padaria.example', 'no-reply@padaria.example'],
    ['any id, which may then not be found', companyId, 'nobody', 'nobody'],
    ['a key id', keyId, 'abcdefgh2345', 'abcdefgh2345'],
    ['the id of a whole key', keyId, KEY, 'abcdefgh2345'],
  ])('%s', (_, value, text, read) => {
    expect(value.read(text)).toBe(read);
  });
});

describe('not allowed', () => {
  it.each<[Value<unknown>, string]>([
    [wholeNumber(1, 8), '0'],
    [wholeNumber(1, 8), '9'],
    [wholeNumber(1, 8), '2.5'],
    [wholeNumber(1, 8), '-1'],
    [wholeNumber(1, 8), ''],
    [oneOf('live', 'test'), 'Live'],
    [duration('1m', '90d'), '0m'],
    [duration('1m', '90d'), '91d'],
    [duration('1m', '90d'), '24'],
    [duration('1m', '90d'), '1.5h'],
    [duration('1m', '90d'), '1h30m'],
    [moment, '2030-12-31'],
    [moment, '2030-12-31T23:59:59'],
    [moment, '2030-02-30T00:00:00Z'],
    [moment, 'tomorrow'],
    [ipAddress, '203.0.113.0/24'],
    [ipAddress, '203.0.113'],
    [ipAddress, 'fe80::1%eth0'],
    [newId, '3f0c1d2e'],
    [displayName, '   '],
    [displayName, 'two\nlines'],
    [displayName, 'x'.repeat(101)],
    [emailAddress, 'Padaria <no-reply@padaria.example>'],
    [companyId, ''],
    [companyId, 'two words'],
    [keyId, ''],
    // It is not one of our keys, and must not be echoed as an id.
    [keyId, `eg_live_${'a'.repeat(60)}`],
  ])('%o: %j', (value, text) => {
    expect(value.read(text)).toBeUndefined();
  });
});
