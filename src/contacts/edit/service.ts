import type { Principal } from '../../access/index.ts';
import type { Author } from '../../events/index.ts';
import {
  retryOnConflict,
  runInTransaction,
  type Pool,
  type Queryable,
} from '../../platform/database/index.ts';
import { invalidRequest, Problem, requireMatch, type IfMatch } from '../../platform/http/index.ts';
import { isUuid, newId, parseEmail, toEmailKey } from '../../platform/text/index.ts';
import { requireActiveUser } from '../../users/index.ts';
import type { presentLink } from '../list/present.ts';
import type { Reader } from '../list/conditions.ts';
import { contactNotFound, requireContact, type ShownContact } from '../list/service.ts';
import { findVisibleIds } from '../list/store.ts';
import type { Link, RowOfContact } from '../schemas.ts';
import { lockContactEmails } from '../email-locks.ts';
import { findContactKeys } from '../read-store.ts';
import {
  changesNothing,
  requireAssignable,
  planArchive,
  planChanges,
  planNothing,
  planTags,
  readLabels,
  type Edit,
  type EditableContact,
} from './rules.ts';
import type { ContactChanges, NewLink, TagChanges } from './schemas.ts';
import { findLinkable, readEditable } from './store.ts';
import { writeEdits } from './write.ts';

/** The caller who edits contacts. */
export interface Editor {
  db: Pool;
  principal: Principal;
  /** The author of the events. */
  author: Author;
}

/** The contact, activity or tag that a request edits, and the versions of it that the request accepts. */
export interface Target {
  id: string;
  ifMatch: IfMatch;
}

/**
 * Edits a contact in one transaction. `plan` runs under the locks of the account and of the contact's email, so that no other
 * edit, load or import changes the contact until COMMIT. `emailKeys` are further emails to lock. Throws when the contact does not
 * exist, or has another version.
 */
async function editContact(
  { db, principal, author }: Editor,
  { id, ifMatch }: Target,
  plan: (tx: Queryable, before: EditableContact) => Edit | Promise<Edit>,
  emailKeys: string[] = [],
): Promise<ShownContact> {
  const { accountId } = principal;
  if (!isUuid(id)) throw contactNotFound();
  return retryOnConflict(() =>
    runInTransaction(db, async (tx) => {
      await lockContactEmails(tx, accountId, [id], emailKeys);
      const current = await requireContact(tx, principal, id);
      requireMatch(ifMatch, current);
      const [before] = await readEditable(tx, accountId, [id]);
      if (before === undefined) throw contactNotFound();
      const edit = await plan(tx, before);
      if (changesNothing(edit)) return current;
      await writeEdits(tx, accountId, [edit], { author, now: new Date() });
      return requireContact(tx, principal, id);
    }),
  );
}

/** Changes fields of a contact. */
export async function changeContact(
  editor: Editor,
  target: Target,
  changes: ContactChanges,
): Promise<ShownContact> {
  const { principal } = editor;
  const { accountId } = principal;
  requireAssignable(principal, changes.assignedAccountUserId);
  const plan = async (tx: Queryable, before: EditableContact): Promise<Edit> => {
    const edit = planChanges(before, changes);
    const { emailKey, assignedAccountUserId: userId } = edit.after;
    if (userId !== before.contact.assignedAccountUserId && userId !== null)
      await requireActiveUser(tx, accountId, userId, '/assignedAccountUserId');
    if (emailKey !== before.contact.emailKey) await requireFreeEmail(tx, principal, emailKey);
    return edit;
  };
  const email = parseEmail(changes.email ?? '');
  return editContact(editor, target, plan, email === null ? [] : [toEmailKey(email)]);
}

/** Throws when a contact has this email. The problem names the contacts that the principal may see. The caller has locked the email. */
async function requireFreeEmail(
  tx: Queryable,
  principal: Principal,
  emailKey: string,
): Promise<void> {
  const { accountId } = principal;
  const found = await findContactKeys(tx, accountId, { ids: [], emailKeys: [emailKey] });
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  throw new Problem(
    'email_in_use',
    'Another contact has this email. Merge the two, or choose another email.',
    { matchingContactIds: await findVisibleIds(tx, principal, ids) },
  );
}

/** Archives a contact. */
export function archiveContact(editor: Editor, target: Target): Promise<ShownContact> {
  const archivedAt = new Date().toISOString();
  return editContact(editor, target, (_tx, before) => planArchive(before, archivedAt));
}

/** Makes an archived contact active. */
export function restoreContact(editor: Editor, target: Target): Promise<ShownContact> {
  return editContact(editor, target, (_tx, before) => planArchive(before, null));
}

/** Adds tags to a contact, and removes tags from it. */
export async function changeTags(
  editor: Editor,
  target: Target,
  { add = [], remove = [] }: TagChanges,
): Promise<ShownContact> {
  const { labels, faults } = readLabels(add, '/add');
  if (faults.length > 0) throw invalidRequest(faults);
  return editContact(editor, target, (_tx, before) => planTags(before, labels, remove));
}

/** Links a contact to a project, or to a unit of it. Returns the link, and whether it is new. */
export async function linkContact(
  editor: Editor,
  contactId: string,
  { projectId, unitId = null }: NewLink,
): Promise<{ link: RowOfContact<Link>; isNew: boolean }> {
  const wanted = { projectId: projectId.toLowerCase(), unitId: unitId?.toLowerCase() ?? null };
  let link: RowOfContact<Link> | undefined;
  let isNew = false;
  await editContact(editor, { id: contactId, ifMatch: '*' }, async (tx, before) => {
    link = before.links.find((each) => isSameLink(each, wanted));
    isNew = link === undefined;
    if (link !== undefined) return planNothing(before);
    await requireLinkable(tx, editor.principal.accountId, wanted);
    link = { id: newId(), contactId: before.contact.id, ...wanted };
    return { ...planNothing(before), addedLinks: [link] };
  });
  if (link === undefined) throw new Error('the contact was not edited');
  return { link, isNew };
}

const isSameLink = (a: Link, b: Link): boolean =>
  a.projectId === b.projectId && a.unitId === b.unitId;

/** Throws unless a contact can be linked to a project and a unit. Unlike an import, an edit may also link drafts. */
async function requireLinkable(
  tx: Queryable,
  accountId: string,
  { projectId, unitId }: Link,
): Promise<void> {
  const found = isUuid(projectId) ? await findLinkable(tx, accountId, projectId) : undefined;
  if (found === undefined)
    refuse(
      'project_not_available',
      '/projectId',
      'projectId must be the id of a project of this account that is not archived.',
    );
  if (unitId !== null && !found.unitIds.includes(unitId))
    refuse(
      'unit_not_in_project',
      '/unitId',
      'unitId must be the id of a unit of the project that projectId names.',
    );
}

function refuse(
  code: 'project_not_available' | 'unit_not_in_project',
  pointer: string,
  detail: string,
): never {
  throw new Problem(code, detail, { errors: [{ pointer, detail }] });
}

/** Finds a link of a contact, as the API shows it. Throws a 404 when the caller sees no such contact, or it has no such link. */
export async function requireLink(
  db: Queryable,
  reader: Reader,
  contactId: string,
  linkId: string,
): Promise<ReturnType<typeof presentLink>> {
  const { links = [] } = await requireContact(db, reader, contactId);
  const link = links.find(({ id }) => id === linkId.toLowerCase());
  if (link === undefined) throw linkNotFound();
  return link;
}

function linkNotFound(): Problem {
  return new Problem('link_not_found', 'linkId must be the id of a link of this contact.');
}

/** Removes a link of a contact. */
export async function unlinkContact(
  editor: Editor,
  contactId: string,
  linkId: string,
): Promise<void> {
  await editContact(editor, { id: contactId, ifMatch: '*' }, (_tx, before) => {
    const removedLinks = before.links.filter(({ id }) => id === linkId.toLowerCase());
    if (removedLinks.length === 0) throw linkNotFound();
    return { ...planNothing(before), removedLinks };
  });
}
