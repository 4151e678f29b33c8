import type { Contact } from '../../api.ts';

/** Returns the name of a contact, or the email when there is no name. */
export function nameContact(
  contact: Pick<Contact, 'name' | 'firstName' | 'lastName' | 'email'>,
): string {
  const { name, firstName, lastName, email } = contact;
  const parts = [firstName, lastName].filter((part) => part != null && part !== '');
  return name ?? (parts.length > 0 ? parts.join(' ') : email);
}
