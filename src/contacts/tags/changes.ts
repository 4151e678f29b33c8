import { lockRevision, recordEvents } from '../../accounts/index.ts';
import { SYSTEM, type Author } from '../../events/index.ts';
import type { Pool, Queryable } from '../../platform/database/index.ts';
import { invalidRequest, Problem, requireMatch } from '../../platform/http/index.ts';
import { isUuid, NIL_ID } from '../../platform/text/index.ts';
import type { Editor, Target } from '../edit/service.ts';
import { listContactEvents, type ContactStep } from '../events.ts';
import type { Reader } from '../list/conditions.ts';
import { repeatStep, runStep, STEP_MAX_CONTACTS } from '../steps.ts';
import { raiseContactVersions } from '../store.ts';
import { findTags } from '../tag-store.ts';
import type { Tag } from './schemas.ts';
import { labelTaken, presentTag, requireLabel } from './service.ts';
import * as store from './store.ts';

/*
 * A change of a tag with many contacts runs in steps. A lead may find a tag just before it is deleted; its reference then violates
 * the foreign key, and the import creates the tag again.
 */

/** Gives a tag another label. Its contacts show it, so each of them gets a new version. */
export async function renameTag(
  editor: Editor,
  { id, ifMatch }: Target,
  text: string | undefined,
): Promise<Tag> {
  const { db, principal, author } = editor;
  const { accountId } = principal;
  const label = text === undefined ? undefined : requireLabel(text);
  await runStep(db, accountId, async (tx) => {
    const tag = await requireTag(tx, accountId, id);
    if (ifMatch !== '*') requireMatch(ifMatch, await present(tx, principal, tag));
    if (label === undefined || label.label === tag.label) return;
    await lockRevision(tx, accountId);
    if (label.key !== tag.key && (await findTags(tx, accountId, [label])).size > 0)
      throw labelTaken();
    await store.updateLabel(tx, accountId, { ...label, id: tag.id });
    const renamed = { ...tag, ...label, renamedFrom: tag.renamedFrom ?? tag.label };
    await writeNewLabel(tx, { accountId, author }, renamed, NIL_ID);
  });
  await finishRename(db, { accountId, author }, id);
  return present(db, principal, await requireTag(db, accountId, id));
}

interface Writer {
  accountId: string;
  author: Author;
}

/** Finishes the renames that a process left unfinished when it ended. */
export async function finishRenames(db: Pool, accountId: string): Promise<void> {
  for (const { id } of await store.findUnfinishedTags(db, accountId))
    await finishRename(db, { accountId, author: SYSTEM }, id);
}

/** Gives a new version to the contacts of a renamed tag, chunk by chunk. */
async function finishRename(db: Pool, writer: Writer, id: string): Promise<void> {
  let afterId: string | undefined = NIL_ID;
  while (afterId !== undefined) {
    const from: string = afterId;
    afterId = await runStep(db, writer.accountId, async (tx) => {
      const tag = await store.findTag(tx, writer.accountId, id);
      if (tag === undefined || tag.renamedFrom === null) return undefined;
      await lockRevision(tx, writer.accountId);
      return writeNewLabel(tx, writer, tag, from);
    });
  }
}

/** Gives a new version to the next chunk of contacts. Returns the id of the last one; undefined when there are no more. */
async function writeNewLabel(
  tx: Queryable,
  writer: Writer,
  tag: store.ChangedTag,
  afterId: string,
): Promise<string | undefined> {
  const { id: tagId, label, renamedFrom } = tag;
  const limit = STEP_MAX_CONTACTS;
  const ids = await store.findAwaitingContacts(tx, writer.accountId, { tagId, afterId, limit });
  const before = { tags: [{ id: tagId, label: renamedFrom }] };
  const after = { tags: [{ id: tagId, label }] };
  const steps = ids.map((id) => makeStep(id, { before, after }));
  await writeSteps(tx, writer, steps);
  if (ids.length === limit) return ids.at(-1);
  await store.finishRename(tx, writer.accountId, tagId);
  return undefined;
}

/** Deletes a tag, and removes it from its contacts. */
export async function deleteTag(editor: Editor, { id, ifMatch }: Target): Promise<void> {
  const { db, principal, author } = editor;
  const { accountId } = principal;
  await repeatStep(db, accountId, async (tx, isFirst) => {
    const tag = isFirst
      ? await requireTag(tx, accountId, id)
      : await store.findTag(tx, accountId, id);
    if (tag === undefined) return true;
    if (isFirst && ifMatch !== '*') requireMatch(ifMatch, await present(tx, principal, tag));
    return removeTag(tx, { accountId, author }, tag, null);
  });
}

/** Replaces a tag by another one on all its contacts, and deletes it. */
export async function mergeTag(editor: Editor, id: string, intoId: string): Promise<Tag> {
  const { db, principal, author } = editor;
  const { accountId } = principal;
  if (id.toLowerCase() === intoId.toLowerCase())
    throw invalidRequest([{ pointer: '/into', detail: 'into must be the id of another tag.' }]);
  let version: number | undefined;
  await repeatStep(db, accountId, async (tx, isFirst) => {
    const tag = isFirst
      ? await requireTag(tx, accountId, id)
      : await store.findTag(tx, accountId, id);
    if (tag === undefined) return true;
    const into = await requireTag(tx, accountId, intoId, 'into');
    if (isFirst) version = tag.version;
    // Otherwise two merges in opposite directions return contacts to each other.
    if (tag.version !== version) throw changedMeanwhile();
    const isDone = await removeTag(tx, { accountId, author }, tag, into);
    if (isFirst) await store.raiseVersion(tx, accountId, into.id);
    return isDone;
  });
  return present(db, principal, await requireTag(db, accountId, intoId, 'into'));
}

/** Removes a tag from the next chunk of contacts, and deletes it when no contact has it any more. Returns whether it is deleted. */
async function removeTag(
  tx: Queryable,
  writer: Writer,
  { id: tagId, label }: store.ChangedTag,
  into: store.ChangedTag | null,
): Promise<boolean> {
  const { accountId } = writer;
  await lockRevision(tx, accountId);
  const limit = STEP_MAX_CONTACTS;
  const otherId = into?.id ?? null;
  const found = await store.findTaggedContacts(tx, accountId, { tagId, otherId, limit });
  const removedTags = [{ id: tagId, label }];
  const added = into === null ? [] : [{ id: into.id, label: into.label }];
  const steps = found.map(({ id, hasOther }) =>
    makeStep(id, { removedTags, tags: hasOther ? [] : added }),
  );
  const contactIds = found.map(({ id }) => id);
  if (contactIds.length > 0)
    await store.replaceTag(tx, accountId, { tagId, intoId: otherId, contactIds });
  await writeSteps(tx, writer, steps);
  if (found.length === limit) return false;
  await store.deleteTagRow(tx, accountId, tagId);
  return true;
}

function makeStep(contactId: string, changes: Partial<ContactStep>): ContactStep {
  const nothing = { before: {}, after: {}, tags: [], links: [], activities: [] };
  return { ...nothing, contactId, isNew: false, importId: null, ...changes };
}

/** Raises the versions of contacts, and appends their events. The caller has the lock on the revision. */
async function writeSteps(
  tx: Queryable,
  { accountId, author }: Writer,
  steps: ContactStep[],
): Promise<void> {
  if (steps.length === 0) return;
  const events = steps.flatMap((step) => listContactEvents(step));
  const ids = steps.map(({ contactId }) => contactId);
  await recordEvents(tx, accountId, [{ author, events }], { now: new Date(), rows: ids.length });
  await raiseContactVersions(tx, accountId, ids);
}

/** Finds a tag, as the API shows it. Throws a 404 when the account has none with this id. */
export async function readTag(db: Queryable, reader: Reader, id: string): Promise<Tag> {
  return present(db, reader, await requireTag(db, reader.accountId, id));
}

async function requireTag(
  db: Queryable,
  accountId: string,
  id: string,
  name = 'tagId',
): Promise<store.ChangedTag> {
  const tag = isUuid(id) ? await store.findTag(db, accountId, id) : undefined;
  if (tag === undefined) throw tagNotFound(name);
  return tag;
}

function changedMeanwhile(): Problem {
  return new Problem(
    'invalid_transition',
    'The tag was renamed, or another tag was merged into it, before all its contacts had the other tag. Some have it already.',
  );
}

function tagNotFound(name = 'tagId'): Problem {
  return new Problem('tag_not_found', `${name} must be the id of a tag of this account.`);
}

async function present(db: Queryable, reader: Reader, tag: store.StoredTag): Promise<Tag> {
  const counts = await store.countContacts(db, reader, [tag.id]);
  return presentTag(tag, counts.get(tag.id) ?? 0);
}
