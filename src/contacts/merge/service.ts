import { recordEvents } from '../../accounts/index.ts';
import { SYSTEM, type Author } from '../../events/index.ts';
import {
  retryOnConflict,
  runInTransaction,
  type Pool,
  type Queryable,
} from '../../platform/database/index.ts';
import { invalidRequest, Problem } from '../../platform/http/index.ts';
import { isUuid } from '../../platform/text/index.ts';
import type { Editor } from '../edit/service.ts';
import { requireContact } from '../list/service.ts';
import {
  FILLABLE_FIELDS,
  FILLED_FIELD_OF,
  type FillableField,
  type FilledField,
} from '../schemas.ts';
import { lockContactEmails } from '../email-locks.ts';
import { findContacts } from '../read-store.ts';
import { readTagLabels } from '../tag-store.ts';
import { listMergeEvents } from './events.ts';
import { MergeError, planMerge, type MergeReport, type TakeFrom } from './rules.ts';
import type { MergeResult } from './schemas.ts';
import { writeMerge } from './store.ts';

/** A requested merge. */
interface Merge {
  remainingId: string;
  duplicateIds: string[];
  takeFrom?: TakeFrom;
}

/**
 * Merges contacts of an account that share an email into one of them, in one transaction. Throws a MergeError when the
 * contacts cannot be merged. A dry run only reports the merge, and takes no lock.
 */
export async function mergeContacts(
  db: Pool,
  accountId: string,
  remainingId: string,
  duplicateIds: string[],
  { dryRun }: { dryRun: boolean },
): Promise<MergeReport> {
  const merge = { remainingId, duplicateIds };
  if (!dryRun)
    return retryOnConflict(() =>
      runInTransaction(db, (tx) => mergeInTransaction(tx, accountId, merge, SYSTEM)),
    );
  return runInTransaction(
    db,
    async (tx) => (await planInTransaction(tx, accountId, merge)).report,
    'repeatable read, read only',
  );
}

/** Merges contacts in the caller's transaction, and presents the result. Throws a Problem when they cannot be merged. */
export async function mergeAndShow(
  tx: Queryable,
  { principal, author }: Pick<Editor, 'principal' | 'author'>,
  merge: Merge,
): Promise<MergeResult> {
  const { accountId } = principal;
  await requireContact(tx, principal, merge.remainingId);
  const report = await mergeInTransaction(tx, accountId, merge, author).catch((error: unknown) => {
    throw error instanceof MergeError ? toProblem(error) : error;
  });
  const { filledFields, leftBehind, moved } = report;
  return {
    contact: await requireContact(tx, principal, merge.remainingId),
    filledFields: filledFields.map(nameField),
    leftBehind: leftBehind.map((lost) => ({ ...lost, field: nameField(lost.field) })),
    moved,
  };
}

/** Returns the wire name of a field in the report of a merge. */
function nameField(filled: FilledField): FillableField {
  const field = FILLABLE_FIELDS.find((each) => FILLED_FIELD_OF[each] === filled);
  if (field === undefined) throw new Error(`a merge filled ${filled}`);
  return field;
}

function toProblem({ reason, message, pointer }: MergeError): Problem {
  if (reason === 'not_merged') return invalidRequest([{ pointer, detail: `${message}.` }]);
  const sentence = `These contacts cannot be merged: ${message}.`;
  if (reason === 'repeated') return invalidRequest([{ pointer, detail: sentence }]);
  if (reason === 'unknown') return new Problem('contact_not_found', sentence);
  const detail = `Only contacts that share an email can be merged: ${message}.`;
  return new Problem('not_duplicates', detail);
}

async function mergeInTransaction(
  tx: Queryable,
  accountId: string,
  merge: Merge,
  author: Author,
): Promise<MergeReport> {
  await lockContactEmails(tx, accountId, listIds(merge).filter(isUuid));
  const { found, report, changes } = await planInTransaction(tx, accountId, merge);
  const labels = await readTagLabels(tx, accountId);
  const events = listMergeEvents(found, changes, labels);
  const now = new Date();
  const raised = await recordEvents(tx, accountId, [{ author, events }], { now });
  await writeMerge(tx, accountId, changes, { ...raised, now });
  return report;
}

async function planInTransaction(tx: Queryable, accountId: string, merge: Merge) {
  const [remainingId = '', ...duplicateIds] = listIds(merge);
  const found = await findContacts(tx, accountId, [remainingId, ...duplicateIds].filter(isUuid));
  const takeFrom = Object.fromEntries(
    Object.entries(merge.takeFrom ?? {}).map(([field, id]) => [field, id.toLowerCase()]),
  );
  return { found, ...planMerge(remainingId, duplicateIds, found, takeFrom) };
}

/** Lists the ids of a merge in lower case, in which PostgreSQL returns UUIDs. */
const listIds = ({ remainingId, duplicateIds }: Merge): string[] =>
  [remainingId, ...duplicateIds].map((id) => id.toLowerCase());
