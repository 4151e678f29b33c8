import { defineRow, planRow, type Entry, type RowPlan } from '../platform/fields/index.ts';
import { UserFields, type User } from './schemas.ts';

/** A person: the fields, and the values of a new one. */
export const USER = defineRow('user', UserFields, { role: 'agent', active: true });

export const EMAIL_TAKEN = 'another user of the account has this email.';

/** Applies an entry to a stored user. Without one, plans a new user. */
export function planUser(
  stored: User | undefined,
  id: string,
  entry: Entry<typeof UserFields>,
): RowPlan<User> {
  return planRow(USER, stored, entry, { id });
}
