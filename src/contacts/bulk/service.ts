import type { Principal } from '../../access/index.ts';
import { lockAccount } from '../../accounts/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import {
  invalidRequest,
  Problem,
  shortenName,
  type FieldFault,
} from '../../platform/http/index.ts';
import { isUuid } from '../../platform/text/index.ts';
import { requireActiveUser } from '../../users/index.ts';
import {
  changesNothing,
  requireAssignable,
  planArchive,
  planChanges,
  planTags,
  readLabels,
  type Edit,
  type EditableContact,
} from '../edit/rules.ts';
import type { Editor } from '../edit/service.ts';
import { readEditable } from '../edit/store.ts';
import { writeEdits } from '../edit/write.ts';
import { findMatching, findVisibleIds } from '../list/store.ts';
import type { Label } from '../schemas.ts';
import { lockContactEmails } from '../email-locks.ts';
import { BULK_MAX_COUNT, type BulkChange, type BulkResult } from './schemas.ts';

const USER_POINTER = '/set/assignedAccountUserId';

/** Changes many contacts, all or none, in the caller's transaction. A dry run takes no lock and writes nothing. */
export async function changeContacts(
  tx: Queryable,
  { principal, author }: Omit<Editor, 'db'>,
  change: BulkChange,
  { dryRun }: { dryRun: boolean },
): Promise<BulkResult> {
  const { accountId } = principal;
  const now = new Date();
  const labels = checkChange(change);
  const userId = change.set?.assignedAccountUserId;
  requireAssignable(principal, userId);
  // The lock keeps others from deactivating the person or editing a contact until the change is written.
  if (!dryRun) await lockAccount(tx, accountId);
  if (userId != null) await requireActiveUser(tx, accountId, userId, USER_POINTER);
  const ids = await chooseContacts(tx, principal, change);
  if (!dryRun) await lockContactEmails(tx, accountId, ids);
  const found = await readEditable(tx, accountId, ids);
  const edits = found
    .map((before) => planBulkEdit(before, change, { labels, now }))
    .filter((edit) => !changesNothing(edit));
  if (!dryRun) await writeEdits(tx, accountId, edits, { author, now });
  return { matched: found.length, changed: edits.length };
}

/** Reads the labels of the tags to add. Throws when the change names no contacts, or nothing to change. */
function checkChange({ ids, filter, set, addTags = [], removeTags, archive }: BulkChange): Label[] {
  const { labels, faults } = readLabels(addTags, '/addTags');
  const found: FieldFault[] = [...faults];
  if ((ids === undefined) === (filter === undefined))
    found.push({ pointer: '/ids', detail: 'Send either ids or a filter.' });
  if ([set, removeTags, archive].every((each) => each === undefined) && addTags.length === 0)
    found.push({
      pointer: '/set',
      detail: 'Send what to change: set, addTags, removeTags or archive.',
    });
  if (found.length > 0) throw invalidRequest(found);
  return labels;
}

/** Finds the ids of the contacts to change. */
async function chooseContacts(
  tx: Queryable,
  principal: Principal,
  { ids, filter }: BulkChange,
): Promise<string[]> {
  if (ids === undefined) {
    const matching = await findMatching(tx, principal, filter ?? {}, BULK_MAX_COUNT + 1);
    if (matching.length <= BULK_MAX_COUNT) return matching;
    const detail = `The filter matches more than ${BULK_MAX_COUNT} contacts. Narrow it, and change them in several requests.`;
    throw invalidRequest([{ pointer: '/filter', detail }]);
  }
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  const known = await findVisibleIds(tx, principal, wanted.filter(isUuid));
  const isKnown = new Set(known);
  const unknown = wanted.find((id) => !isKnown.has(id));
  if (unknown === undefined) return known;
  const detail = `ids must be ids of contacts of this account that you may see; ${shortenName(unknown)} is not one.`;
  throw new Problem('contact_not_found', detail);
}

function planBulkEdit(
  before: EditableContact,
  { set = {}, removeTags = [], archive }: BulkChange,
  { labels, now }: { labels: Label[]; now: Date },
): Edit {
  const { after } = planChanges(before, set);
  const archived =
    archive === undefined
      ? after
      : planArchive({ ...before, contact: after }, archive ? now.toISOString() : null).after;
  return { ...planTags(before, labels, removeTags), after: archived };
}
