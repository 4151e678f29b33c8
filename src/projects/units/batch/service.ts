import { findMissingPictures, mediaNotFound } from '../../../media/index.ts';
import { runInTransaction, type Queryable } from '../../../platform/database/index.ts';
import {
  formatEtag,
  invalidRequest,
  Problem,
  problemDetails,
} from '../../../platform/http/index.ts';
import type { IdempotencyClaim } from '../../../platform/idempotency/index.ts';
import { isUuid } from '../../../platform/text/index.ts';
import { writeStock } from '../../write.ts';
import { findMatchingIds } from '../list-store.ts';
import { presentUnit } from '../present.ts';
import { createFaultFinder } from '../requests.ts';
import { UnitChanges, UNITS_MAX_COUNT } from '../schemas.ts';
import { editStock, type StockEditor } from '../../stock-edit.ts';
import { findUnits } from '../store.ts';
import { checkBatch, planBatch, type BatchRow, type PlannedRow } from './rules.ts';
import type { UnitBatch, UnitBatchResult, UnitBatchRow } from './schemas.ts';

interface BatchOptions {
  /** Whether one refused row refuses the whole batch. */
  isAtomic: boolean;
  dryRun: boolean;
  /** Makes the problem of an atomic batch with refused rows. */
  refuse: (results: UnitBatchRow[], refused: number) => Problem;
}

/**
 * Changes units in the caller's transaction, which has locked the account. A dry run needs no lock, and writes nothing. Its
 * result has the versions on which its plan is based.
 */
export async function changeUnits(
  tx: Queryable,
  { principal, author, imageBases }: Omit<StockEditor, 'db'>,
  rows: BatchRow[],
  { isAtomic, dryRun, refuse }: BatchOptions,
): Promise<UnitBatchResult> {
  const { accountId } = principal;
  const ids = rows.flatMap(({ id }) => (id !== null && isUuid(id) ? id : []));
  const found = await findUnits(tx, accountId, [...new Set(ids)]);
  const stored = new Map(found.map((unit) => [unit.id, unit]));
  const plan = planBatch(rows, stored, (unit) => presentUnit(imageBases, unit));
  const planned = await refuseMissing(tx, accountId, plan, { locks: !dryRun });
  const units = planned.flatMap(({ before, after }) =>
    before === null || after === null ? [] : { stored: before, row: after },
  );
  const refused = planned.filter(({ problem }) => problem !== null).length;
  const summary = {
    changed: units.length,
    unchanged: planned.length - units.length - refused,
    refused,
  };
  const isRefused = isAtomic && refused > 0;
  const isWritten = !dryRun && !isRefused;
  const results = planned.map((each) => presentRow(each, isWritten));
  if (isRefused && !dryRun) throw refuse(results, refused);
  if (isWritten && units.length > 0)
    await writeStock(tx, accountId, { units }, { author, now: new Date() });
  return { summary, results };
}

/** Refuses the rows that add a picture which the account does not have. */
async function refuseMissing(
  tx: Queryable,
  accountId: string,
  planned: PlannedRow[],
  options: { locks: boolean },
): Promise<PlannedRow[]> {
  const newKeyOf = ({ before, after }: PlannedRow): string => {
    const key = after?.floorPlanImage?.key ?? '';
    return key === before?.floorPlanImage?.key ? '' : key;
  };
  const missing = await findMissingPictures(tx, accountId, planned.map(newKeyOf), options);
  const problem = mediaNotFound(['/set/floorPlanImage/key']);
  return planned.map((each) =>
    missing.has(newKeyOf(each)) ? { ...each, after: null, changes: [], problem } : each,
  );
}

function presentRow(
  { row, before, after, changes, problem }: PlannedRow,
  isWritten: boolean,
): UnitBatchRow {
  const version = before && before.version + (isWritten && after !== null ? 1 : 0);
  return {
    index: row.index,
    id: row.id,
    changes,
    etag: version === null ? null : formatEtag(version),
    problem: problem && problemDetails(problem),
  };
}

/** Finds the faults in the changes of a unit. */
export const findUnitFaults = createFaultFinder(UnitChanges);

/** Runs a batch, or its dry run. Returns the results of its rows. */
export async function runBatch(
  editor: StockEditor,
  batch: UnitBatch,
  { dryRun, claim }: { dryRun: boolean; claim: IdempotencyClaim | null },
): Promise<{ result: UnitBatchResult; isRepeat: boolean }> {
  checkBatch(batch);
  const { accountId } = editor.principal;
  const options = { isAtomic: batch.atomic ?? true, dryRun, refuse: batchRefused };
  const work = async (tx: Queryable) =>
    changeUnits(tx, editor, await readRows(tx, accountId, batch), options);
  if (!dryRun) return editStock(editor, work, { claim, status: 200 });
  const result = await runInTransaction(editor.db, work, 'repeatable read, read only');
  return { result, isRepeat: false };
}

/** Reads the rows of a batch. */
async function readRows(
  tx: Queryable,
  accountId: string,
  { changes, ids, filter = {}, set = {}, adjust }: UnitBatch,
): Promise<BatchRow[]> {
  const common = { ifMatch: null, set, adjust: adjust?.price ?? null, problem: null };
  if (changes === undefined) {
    const chosen = ids ?? (await chooseMatching(tx, accountId, filter));
    return chosen.map((id, index) => ({ ...common, index, id }));
  }
  return changes.map(({ id, ifMatch = null, set: own }, index) => {
    const faults = findUnitFaults(own).map(({ pointer, detail }) => ({
      pointer: `/set${pointer}`,
      detail: `set/${detail}`,
    }));
    const problem = faults.length === 0 ? null : invalidRequest(faults);
    return { index, id, ifMatch, set: own, adjust: null, problem };
  });
}

async function chooseMatching(
  tx: Queryable,
  accountId: string,
  filter: NonNullable<UnitBatch['filter']>,
): Promise<string[]> {
  const matching = await findMatchingIds(tx, accountId, filter, UNITS_MAX_COUNT + 1);
  if (matching.length <= UNITS_MAX_COUNT) return matching;
  const detail = `The filter matches more than ${UNITS_MAX_COUNT} units. Narrow it, and change them in several requests.`;
  throw invalidRequest([{ pointer: '/filter', detail }]);
}

/** Makes the problem of a batch that is refused as a whole. */
function batchRefused(results: UnitBatchRow[], refused: number): Problem {
  const detail = `${refused} of ${results.length} rows are refused, so nothing is changed; see results.`;
  return new Problem('batch_refused', detail, { results });
}
