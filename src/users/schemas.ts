import { ROLES } from '../access/index.ts';
import { email, flag, name, oneOf, type StoredRow } from '../platform/fields/index.ts';

/** The fields of a user that can be written, in the order of an export. */
export const UserFields = {
  email: email('Unique in the account, without regard to case. Required when the user is created.'),
  name: name('Required when the user is created.'),
  role: oneOf(ROLES, 'What the person may do; `agent` by default.'),
  active: flag('Whether contacts can be assigned to the user by an import; true by default.'),
};

export type User = StoredRow<typeof UserFields> & { id: string };
