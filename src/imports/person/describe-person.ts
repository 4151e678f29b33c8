import { joinName, type Contact, type PersonNames } from '../../contacts/index.ts';
import { findFormerValues } from '../../events/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import type { Emails } from './find-imports.ts';

/** The values of a contact that identify a person. */
type Identity = Pick<
  Contact,
  'email' | 'name' | 'firstName' | 'lastName' | 'phone' | 'mobilePhone'
>;

/** Lists the emails, names and phones that a person has or had. `ids` are those of the contact, and of those merged into it. */
export async function describePerson(
  tx: Queryable,
  accountId: string,
  ids: string[],
  { email, name, firstName, lastName, phone, mobilePhone }: Identity,
  emails: Emails,
): Promise<PersonNames> {
  const findFormer = async (field: string) =>
    (await findFormerValues(tx, accountId, ids, field)).map(({ value }) => value);
  return {
    emails: [email, ...listOwnEmails(emails)],
    names: [name, joinName(firstName, lastName), ...(await findFormer('name'))],
    phones: [
      phone,
      mobilePhone,
      ...(await findFormer('phone')),
      ...(await findFormer('mobilePhone')),
    ],
  };
}

/** Lists the emails of a person that no other contact has. */
export function listOwnEmails({ emailKey, leftAt }: Emails): string[] {
  return [emailKey, ...[...leftAt.keys()].filter((key) => leftAt.get(key) === null)];
}
