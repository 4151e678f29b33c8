import { defineRow, planRow, type Entry, type RowPlan } from '../platform/fields/index.ts';
import { OrganizationFields, type Organization } from './schemas.ts';

export const ORGANIZATION = defineRow('account', OrganizationFields);

/** Decides what an entry makes of an organization; without a stored one it makes that of a new account. */
export function planOrganization(
  stored: Organization | undefined,
  entry: Entry<typeof OrganizationFields>,
): RowPlan<Organization> {
  return planRow(ORGANIZATION, stored, entry, {});
}
