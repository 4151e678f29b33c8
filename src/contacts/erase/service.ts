import { eraseChanges, type Author } from '../../events/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { requireMatch } from '../../platform/http/index.ts';
import { isUuid } from '../../platform/text/index.ts';
import type { Editor, Target } from '../edit/service.ts';
import { readEditable } from '../edit/store.ts';
import { contactNotFound, requireContact } from '../list/service.ts';
import { findMergedIds } from '../merged-ids.ts';
import type { Contact } from '../schemas.ts';
import { lockContactEmails } from '../email-locks.ts';
import { removeContacts } from '../store.ts';

/** A contact that is to be erased. */
interface Erasable {
  /** The ids of the contact, and of those that were merged into it. */
  ids: string[];
  contact: Contact;
}

/** Finds a contact to erase, and takes the locks of an edit. Throws when the contact does not exist, or has another version. */
export async function requireErasable(
  tx: Queryable,
  principal: Editor['principal'],
  { id, ifMatch }: Target,
): Promise<Erasable> {
  const { accountId } = principal;
  if (!isUuid(id)) throw contactNotFound();
  await lockContactEmails(tx, accountId, [id]);
  requireMatch(ifMatch, await requireContact(tx, principal, id));
  const [found] = await readEditable(tx, accountId, [id]);
  if (found === undefined) throw contactNotFound();
  const { contact } = found;
  return { ids: [contact.id, ...(await findMergedIds(tx, accountId, contact.id))], contact };
}

/**
 * Erases a contact with its activities, tags, links and changes. The first of `ids` is its own id; the others are those of the
 * contacts that were merged into it.
 */
export async function eraseContact(
  tx: Queryable,
  accountId: string,
  ids: string[],
  { author, now }: { author: Author; now: Date },
): Promise<void> {
  const [contactId = '', ...mergedIds] = ids;
  await removeContacts(tx, accountId, [contactId], { author, now });
  await eraseChanges(tx, accountId, mergedIds);
}
