import type { Contact } from '../api.ts';

/** How a contact is called: by name, or by the email when there is none. */
export function nameContact(
  contact: Pick<Contact, 'name' | 'firstName' | 'lastName' | 'email'>,
): string {
  const { name, firstName, lastName, email } = contact;
  const parts = [firstName, lastName].filter((part) => part != null && part !== '');
  return name ?? (parts.length > 0 ? parts.join(' ') : email);
}
