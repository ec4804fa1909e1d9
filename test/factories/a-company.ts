import type { Company } from '../../shared/domain/company.ts';

export const COMPANY_ID = '789e4567-e89b-42d3-a456-426614174999';
export const OTHER_COMPANY_ID = '1b4e28ba-2fa1-41d2-883f-0016d3cca427';

export function aCompany(overrides: Partial<Company> = {}): Company {
  return { companyId: COMPANY_ID, name: 'Padaria Exemplo', bulkLanes: 4, suspended: false, ...overrides };
}
