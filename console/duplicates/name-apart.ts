import type { Contact } from '../api.ts';
import { nameContact } from '../parts/domain/contact-name.ts';
import { formatDay } from '../parts/text/format.ts';
import { texts } from './texts.ts';

const withDay = (contact: Contact): string =>
  texts.apart(nameContact(contact), formatDay(contact.createdAt));

/** Names contacts so that no two names are equal: an equal name gets the day on which the contact came in, or else its position. */
export function nameApart(contacts: readonly Contact[]): (id: string) => string {
  const names = contacts.map((contact, at) => {
    const name = [nameContact, withDay].find(
      (nameOf) => contacts.filter((each) => nameOf(each) === nameOf(contact)).length === 1,
    );
    return [contact.id, name?.(contact) ?? texts.apart(nameContact(contact), at + 1)] as const;
  });
  const byId = new Map(names);
  return (id) => byId.get(id) ?? '';
}
