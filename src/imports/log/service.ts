import type { Principal } from '../../access/index.ts';
import type { Author } from '../../events/index.ts';
import {
  retryOnConflict,
  runInTransaction,
  type Pool,
  type Queryable,
} from '../../platform/database/index.ts';
import {
  invalidRequest,
  Problem,
  problemDetails,
  type ProblemDetails,
} from '../../platform/http/index.ts';
import { isUuid } from '../../platform/text/index.ts';
import { presentItem } from './present.ts';
import { addRefusedBytes } from './refused-bytes.ts';
import { retryImports, retryWithLead, type Retried } from './retry.ts';
import { BULK_MAX_COUNT, type BulkBody, type ImportItem } from './schemas.ts';
import { findNamedRecord, findNamedRecords, type NamedRecord } from './list-store.ts';
import { dismissRecords, findOpenIds } from './store.ts';

type Settler = Pick<Principal, 'accountId' | 'actor'>;

const isOpen = ({ outcome, settledAt }: NamedRecord) => outcome === 'refused' && settledAt === null;

/** Finds a record; throws a 404 when the account has none with this id. */
export async function requireRecord(db: Pool, accountId: string, id: string): Promise<NamedRecord> {
  const record = isUuid(id) ? await findNamedRecord(db, accountId, id) : undefined;
  if (record !== undefined) return record;
  throw new Problem(
    'import_not_found',
    'id must be the id of an import in the log of this account.',
  );
}

/** Reads imports for their events, as the list shows them, by their ids. */
export async function readImportObjects(
  db: Queryable,
  { accountId }: Pick<Principal, 'accountId'>,
  ids: string[],
): Promise<Map<string, ImportItem>> {
  const found = await findNamedRecords(db, accountId, ids);
  return new Map(found.map((record) => [record.id, presentItem(record)]));
}

/**
 * Imports a refused import again, with `lead` instead of its payload if one is given, and returns the record. A record that is
 * not open stays the same. Throws a 409 when there is neither a stored payload nor a lead.
 */
export async function retryRecord(
  db: Pool,
  accountId: string,
  id: string,
  lead: object | undefined,
  author: Author,
): Promise<NamedRecord> {
  const record = await requireRecord(db, accountId, id);
  if (!isOpen(record)) return record;
  if (lead !== undefined) await retryWithLead(db, accountId, record, lead, author);
  const isRetried = lead !== undefined || (await retryPayload(db, accountId, id, author));
  const after = await requireRecord(db, accountId, id);
  if (isRetried || !isOpen(after)) return after;
  throw new Problem(
    'invalid_transition',
    'The log does not keep what was received, so it cannot be imported again. Send the lead as payload.',
  );
}

/** Imports a record again from its payload. Returns false when the log no longer has the payload, or the record is settled. */
async function retryPayload(
  db: Pool,
  accountId: string,
  id: string,
  author: Author,
): Promise<boolean> {
  let count = 0;
  for await (const page of retryImports(db, accountId, { ids: [id], open: true }, author))
    count += page.filter(({ outcome }) => outcome !== null).length;
  return count > 0;
}

/** Dismisses a refused import, which settles it, and returns the record. A record that is not open stays the same. */
export async function dismissRecord(
  db: Pool,
  principal: Settler,
  id: string,
  reason: string | undefined,
): Promise<NamedRecord> {
  const { accountId } = principal;
  await requireRecord(db, accountId, id);
  await dismiss(db, principal, [id], reason);
  return requireRecord(db, accountId, id);
}

async function dismiss(
  db: Pool,
  { accountId, actor }: Settler,
  ids: string[],
  reason: string | undefined,
): Promise<number> {
  const dismissal = { reason: reason ?? null, actor };
  const settled = { dismissal, now: new Date() };
  // An import that replaces some of these records locks them in the order of its rows.
  return retryOnConflict(() =>
    runInTransaction(db, async (tx) => {
      const { count, freedBytes } = await dismissRecords(tx, accountId, ids, settled);
      await addRefusedBytes(tx, accountId, -freedBytes);
      return count;
    }),
  );
}

/** The result of one of many retries. */
interface RetriedItem {
  id: string;
  outcome: 'created' | 'merged' | 'refused' | 'skipped';
  contactId: string | null;
  problem: ProblemDetails | null;
}

/** Imports many refused imports again, each on its own. */
export async function retryRecords(db: Pool, accountId: string, body: BulkBody, author: Author) {
  const { ids, more } = await chooseRecords(db, accountId, body);
  const results: RetriedItem[] = [];
  for await (const page of retryImports(db, accountId, { ids }, author))
    results.push(...page.map(toItem));
  const count = (outcome: RetriedItem['outcome']) =>
    results.filter((each) => each.outcome === outcome).length;
  const summary = {
    created: count('created'),
    merged: count('merged'),
    refused: count('refused'),
  };
  return { summary, results, more };
}

function toItem({ record: { id }, outcome }: Retried): RetriedItem {
  if (outcome === null) return { id, outcome: 'skipped', contactId: null, problem: null };
  return outcome instanceof Problem
    ? { id, outcome: 'refused', contactId: null, problem: problemDetails(outcome) }
    : { id, outcome: outcome.action, contactId: outcome.contactId, problem: null };
}

/** Dismisses many refused imports. */
export async function dismissRecordsOf(db: Pool, principal: Principal, body: BulkBody) {
  const { ids, more } = await chooseRecords(db, principal.accountId, body);
  return { summary: { dismissed: await dismiss(db, principal, ids, undefined) }, more };
}

/** Finds the open imports of a bulk action, and whether there are more. */
async function chooseRecords(db: Pool, accountId: string, { ids, open, code, file }: BulkBody) {
  if ((ids === undefined) === (open === undefined))
    throw invalidRequest([{ pointer: '/ids', detail: 'Send either ids or open.' }]);
  const found = await findOpenIds(db, accountId, { ids, code, runId: file }, BULK_MAX_COUNT + 1);
  return { ids: found.slice(0, BULK_MAX_COUNT), more: found.length > BULK_MAX_COUNT };
}
