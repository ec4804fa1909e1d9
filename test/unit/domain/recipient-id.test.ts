import { describe, expect, it } from 'vitest';
import { defaultExternalId, recipientIdFor } from '../../../shared/domain/recipient-id.ts';
import { COMPANY_ID, OTHER_COMPANY_ID } from '../../factories/a-company.ts';
import { aKeyring } from '../../factories/a-keyring.ts';

it('never changes: another id would be another customer', () => {
  expect(defaultExternalId(aKeyring(), COMPANY_ID, 'cliente@example.com')).toBe(
    'addr_41b3f1b7fa8f296b77f356a06c8eb6bd',
  );
  expect(recipientIdFor(aKeyring(), COMPANY_ID, { externalId: 'CUST-1' })).toBe(
    '209e4d8b-a4f7-8c49-a096-6e86e64992db',
  );
  expect(recipientIdFor(aKeyring(), COMPANY_ID, { cpfCnpj: '52998224725' })).toBe(
    '3ed47cb3-3be6-87af-8bf3-40211baaa718',
  );
});

describe('the external id of a recipient known by address only', () => {
  const id = defaultExternalId(aKeyring(), COMPANY_ID, 'cliente@example.com');

  it('is opaque', () => {
    expect(id).toMatch(/^addr_[0-9a-f]{32}$/);
  });

  it('is the same for every spelling of the address, and after a key rotation', () => {
    expect(defaultExternalId(aKeyring(), COMPANY_ID, 'Cliente@EXAMPLE.com')).toBe(id);
    expect(defaultExternalId(aKeyring(3), COMPANY_ID, 'cliente@example.com')).toBe(id);
  });

  it('differs between addresses and companies', () => {
    expect(defaultExternalId(aKeyring(), COMPANY_ID, 'outro@example.com')).not.toBe(id);
    expect(defaultExternalId(aKeyring(), OTHER_COMPANY_ID, 'cliente@example.com')).not.toBe(id);
  });
});

describe('a recipient id', () => {
  const byId = recipientIdFor(aKeyring(), COMPANY_ID, { externalId: '52998224725' });
  const byDocument = recipientIdFor(aKeyring(), COMPANY_ID, { cpfCnpj: '52998224725' });

  it('is a UUID that a key rotation does not change', () => {
    expect(byId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(recipientIdFor(aKeyring(2), COMPANY_ID, { externalId: '52998224725' })).toBe(byId);
  });

  it('does not take a document for an external id', () => {
    expect(byDocument).not.toBe(byId);
  });

  it('goes by the external id if there are both', () => {
    const both = { externalId: '52998224725', cpfCnpj: '11144477735' };
    expect(recipientIdFor(aKeyring(), COMPANY_ID, both)).toBe(byId);
  });

  it('differs between companies and customers', () => {
    expect(recipientIdFor(aKeyring(), OTHER_COMPANY_ID, { externalId: '52998224725' })).not.toBe(byId);
    expect(recipientIdFor(aKeyring(), COMPANY_ID, { externalId: 'CUST-2' })).not.toBe(byId);
    expect(recipientIdFor(aKeyring(), COMPANY_ID, { cpfCnpj: '11144477735' })).not.toBe(byDocument);
  });
});
