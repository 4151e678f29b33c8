import type { Queryable } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { isUuid } from '../../platform/text/index.ts';
import { findMergedInto } from '../merged-ids.ts';
import type { Reader } from './conditions.ts';
import { presentContact } from './present.ts';
import { findVisibleContact, findVisibleContacts } from './store.ts';

/** A contact as the API shows it. */
export type ShownContact = ReturnType<typeof presentContact>;

/** Finds a contact, as the API shows it. Throws a 404 when the account has none with this id, or the caller may not see it. */
export async function requireContact(
  db: Queryable,
  reader: Reader,
  id: string,
): Promise<ShownContact> {
  const contact = isUuid(id) ? await findVisibleContact(db, reader, id) : undefined;
  if (contact !== undefined) return presentContact(contact);
  const intoId = isUuid(id) ? await findMergedInto(db, reader.accountId, id) : undefined;
  const isSeen =
    intoId !== undefined && (await findVisibleContact(db, reader, intoId)) !== undefined;
  throw contactNotFound(isSeen ? intoId : undefined);
}

/** Makes the 404 of a contact. `mergedIntoId` is the contact into which it was merged. */
export function contactNotFound(mergedIntoId?: string): Problem {
  const detail =
    mergedIntoId === undefined
      ? 'id must be the id of a contact of this account that you may see.'
      : 'The contact was merged into the one that mergedIntoId names.';
  return new Problem('contact_not_found', detail, {
    ...(mergedIntoId !== undefined && { mergedIntoId }),
  });
}

/** Reads contacts for their events, as the API shows them, by their ids. */
export async function readContactObjects(
  db: Queryable,
  reader: Reader,
  ids: string[],
): Promise<Map<string, ShownContact>> {
  const found = await findVisibleContacts(db, reader, ids);
  return new Map(found.map((contact) => [contact.id, presentContact(contact)]));
}
