import { defineRow, planRow, type Entry, type RowPlan } from '../platform/fields/index.ts';
import { OrganizationFields, type Organization } from './schemas.ts';

/** The organization of an account: its fields, and the values that a new account has when its file leaves them out. */
export const ORGANIZATION = defineRow('account', OrganizationFields, {
  agentsSee: 'all',
  timeZone: 'UTC',
  secondStepFor: 'nobody',
});

/** Applies an entry to a stored organization. Without one, plans the organization of a new account. */
export function planOrganization(
  stored: Organization | undefined,
  entry: Entry<typeof OrganizationFields>,
): RowPlan<Organization> {
  return planRow(ORGANIZATION, stored, entry, {});
}
