import { normaliseAddress } from './email-address.ts';
import { keyedHash, type Keyring } from './keyring.ts';
import { uuidFromHash } from './outbox-id.ts';

/** Ids must not change when keys rotate, so they are always made with the first root. */
const FIRST_VERSION = 1;

/** For a mail that names its recipient by address only: stable and opaque. */
export function defaultExternalId(keyring: Keyring, companyId: string, address: string): string {
  return `addr_${keyedHash(keyring, 'external-id', JSON.stringify([companyId, normaliseAddress(address)]), FIRST_VERSION).hex.slice(0, 32)}`;
}

/** The same customer of the same company always has the same recipient id, whoever writes it first. */
export function recipientIdFor(
  keyring: Keyring,
  companyId: string,
  identity: { readonly externalId?: string | undefined; readonly cpfCnpj?: string | undefined },
): string {
  const named =
    identity.externalId !== undefined ? ['externalId', identity.externalId] : ['cpfCnpj', identity.cpfCnpj];
  return uuidFromHash(
    keyedHash(keyring, 'recipient-id', JSON.stringify([companyId, ...named]), FIRST_VERSION).hex,
  );
}
