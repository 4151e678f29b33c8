import { lockAccount, recordEvents } from '../../accounts/index.ts';
import type { EventType } from '../../events/index.ts';
import {
  retryOnConflict,
  runInTransaction,
  type Queryable,
} from '../../platform/database/index.ts';
import { invalidRequest, Problem, requireMatch } from '../../platform/http/index.ts';
import { createOnce, type IdempotencyClaim } from '../../platform/idempotency/index.ts';
import { isUuid, newId } from '../../platform/text/index.ts';
import type { Editor, Target } from '../edit/service.ts';
import type { Reader } from '../list/conditions.ts';
import { contactNotFound, requireContact } from '../list/service.ts';
import { lockContactEmails } from '../email-locks.ts';
import { findVisibleActivities } from './list-store.ts';
import { presentActivity, type ShownActivity } from './present.ts';
import {
  applyChanges,
  requireAuthor,
  findActivityFaults,
  isSameActivity,
  type ActivityFields,
  type ReadActivity,
} from './rules.ts';
import type { ActivityChanges, NewActivity } from './schemas.ts';
import {
  deleteActivity,
  findActivity,
  insertActivity,
  touchContact,
  updateActivity,
} from './store.ts';

/** Adds an activity to a contact, at most once for an Idempotency-Key. `path` is the URL path of activities. */
export function addActivity(
  editor: Editor,
  { contactId, claim, path }: { contactId: string; claim: IdempotencyClaim | null; path: string },
  { type, ...changes }: NewActivity,
): Promise<{ resource: ShownActivity; isRepeat: boolean }> {
  const { accountId, actor } = editor.principal;
  const now = new Date();
  const fields = applyChanges({ type, body: '', outcome: null, occurredAt: now }, changes);
  checkFields(fields, now);
  const own = { id: newId(), contactId, actorType: actor.type, actorId: actor.id, createdAt: now };
  const activity = { ...own, ...fields };
  return createOnce(editor.db, { accountId, claim, path }, async (tx) => {
    await lockContact(tx, editor, contactId);
    await writeWithEvent(tx, editor, { activity, event: 'activity.created', now }, () =>
      insertActivity(tx, accountId, activity),
    );
    return presentFound(tx, accountId, activity.id);
  });
}

/** Changes an activity. Throws a 409 for an enquiry, which records what somebody sent. */
export async function changeActivity(
  editor: Editor,
  target: Target,
  changes: ActivityChanges,
): Promise<ShownActivity> {
  const { accountId } = editor.principal;
  const now = new Date();
  return editActivity(editor, target, async (tx, stored) => {
    if (stored.type === 'enquiry')
      throw new Problem(
        'invalid_transition',
        'An enquiry records what was sent, and cannot be changed.',
      );
    const fields = applyChanges(stored, changes);
    checkFields(fields, now);
    if (!isSameActivity(stored, fields))
      await writeWithEvent(
        tx,
        editor,
        { activity: { ...stored, ...fields }, event: 'activity.updated', now },
        () => updateActivity(tx, accountId, { ...stored, ...fields }, now),
      );
    return presentFound(tx, accountId, stored.id);
  });
}

/** Deletes an activity. */
export async function removeActivity(editor: Editor, target: Target): Promise<void> {
  const { accountId } = editor.principal;
  const now = new Date();
  await editActivity(editor, target, (tx, activity) =>
    writeWithEvent(tx, editor, { activity, event: 'activity.deleted', now }, () =>
      deleteActivity(tx, accountId, activity.id),
    ),
  );
}

function checkFields(fields: ActivityFields, now: Date): void {
  const faults = findActivityFaults(fields, now);
  if (faults.length > 0) throw invalidRequest(faults);
}

/** Takes the locks that an edit of a contact needs. Throws when the contact does not exist, or the caller may not see it. */
async function lockContact(tx: Queryable, { principal }: Editor, contactId: string): Promise<void> {
  if (!isUuid(contactId)) throw contactNotFound();
  await lockContactEmails(tx, principal.accountId, [contactId]);
  await requireContact(tx, principal, contactId);
}

/** Edits an activity. Throws when it does not exist, has another version, or the caller may not change it. */
async function editActivity<Result>(
  editor: Editor,
  { id, ifMatch }: Target,
  edit: (tx: Queryable, stored: ReadActivity) => Promise<Result>,
): Promise<Result> {
  const { db, principal } = editor;
  const { accountId } = principal;
  if (!isUuid(id)) throw activityNotFound();
  return retryOnConflict(() =>
    runInTransaction(db, async (tx) => {
      // A merge moves the activity to another contact. Lock the account before the read that finds the contact.
      await lockAccount(tx, accountId);
      const found = await findActivity(tx, accountId, id);
      if (found === undefined) throw activityNotFound();
      // A caller who may not see the contact must not learn that its activity exists.
      await lockContact(tx, editor, found.contactId).catch((error: unknown) => {
        throw error instanceof Problem ? activityNotFound() : error;
      });
      const stored = await findActivity(tx, accountId, id);
      if (stored === undefined) throw activityNotFound();
      requireAuthor(principal, stored);
      requireMatch(ifMatch, presentActivity(stored));
      return edit(tx, stored);
    }),
  );
}

function activityNotFound(): Problem {
  return new Problem('activity_not_found', 'id must be the id of an activity of this account.');
}

interface ActivityWrite {
  activity: Pick<ReadActivity, 'id' | 'contactId' | 'type'>;
  event: Extract<EventType, `activity.${string}`>;
  now: Date;
}

/** Writes an activity, counts the change in its contact's version, and appends the event. */
async function writeWithEvent(
  tx: Queryable,
  { principal: { accountId }, author }: Editor,
  { activity: { id, contactId, type: activityType }, event: type, now }: ActivityWrite,
  write: () => Promise<void>,
): Promise<void> {
  const events = [{ type, subject: id, data: { contactId, activityType } }];
  await recordEvents(tx, accountId, [{ author, events }], { now });
  await write();
  await touchContact(tx, accountId, contactId, now);
}

async function presentFound(tx: Queryable, accountId: string, id: string): Promise<ShownActivity> {
  const stored = await findActivity(tx, accountId, id);
  if (stored === undefined) throw new Error('the activity was not written');
  return presentActivity(stored);
}

/** Finds an activity, as the API shows it. Throws a 404 when there is none with this id, or the caller may not see its contact. */
export async function requireActivity(
  db: Queryable,
  reader: Reader,
  id: string,
): Promise<ShownActivity> {
  const [found] = isUuid(id) ? await findVisibleActivities(db, reader, [id]) : [];
  if (found === undefined) throw activityNotFound();
  return presentActivity(found);
}

/** Reads activities for their events, as the API shows them, by their ids. */
export async function readActivityObjects(
  db: Queryable,
  reader: Reader,
  ids: string[],
): Promise<Map<string, ShownActivity>> {
  const found = await findVisibleActivities(db, reader, ids);
  return new Map(found.map((activity) => [activity.id, presentActivity(activity)]));
}
