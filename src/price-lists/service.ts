import { runInTransaction, type Queryable } from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import { BYTE_ORDER_MARK } from '../platform/text/index.ts';
import {
  changeUnits,
  editStock,
  findUnitsOfProject,
  type StockEditor,
  type UnitBatchResult,
  type UnitBatchRow,
} from '../projects/index.ts';
import { FIELDS, formatLine } from './cells.ts';
import { COLUMNS } from './columns.ts';
import type { PriceListFile } from './read-file.ts';
import { placeProblem, planRows, type PriceListRow } from './rules.ts';

/** Writes the price list of a project: all its units in their order, also withdrawn ones. */
export async function writePriceList(
  db: Queryable,
  accountId: string,
  projectId: string,
): Promise<string> {
  const units = await findUnitsOfProject(db, accountId, projectId);
  const lines = units.map((unit) =>
    formatLine([unit.id, unit.version, ...FIELDS.map((field) => unit[field])]),
  );
  return [BYTE_ORDER_MARK, formatLine(COLUMNS), ...lines].join('');
}

/** A row of the answer. */
type PriceListResultRow = UnitBatchRow & { row: number };

/** The answer to a price list. */
export interface PriceListResult extends UnitBatchResult {
  results: PriceListResultRow[];
  ignoredColumns: string[];
}

/** Changes the units of a project by a price list: all rows or none. Units that the file does not name do not change. */
export async function applyPriceList(
  editor: StockEditor,
  requireProject: (tx: Queryable) => Promise<{ id: string }>,
  file: PriceListFile,
  { dryRun }: { dryRun: boolean },
): Promise<PriceListResult> {
  const { accountId } = editor.principal;
  const work = async (tx: Queryable): Promise<PriceListResult> => {
    const { id } = await requireProject(tx);
    const rows = planRows(file, await findUnitsOfProject(tx, accountId, id));
    const place = (results: UnitBatchRow[]) => placeResults(file, rows, results);
    const changes = rows.map(({ change }) => change);
    const { summary, results } = await changeUnits(tx, editor, changes, {
      isAtomic: true,
      dryRun,
      refuse: (refused) => rowsRefused(place(refused)),
    });
    return { summary, results: place(results), ignoredColumns: file.ignoredColumns };
  };
  if (dryRun) return runInTransaction(editor.db, work, 'repeatable read, read only');
  return (await editStock(editor, work)).result;
}

function placeResults(
  file: PriceListFile,
  rows: PriceListRow[],
  results: UnitBatchRow[],
): PriceListResultRow[] {
  return results.flatMap((result, index) => {
    const row = rows[index];
    if (row === undefined) return [];
    const problem = result.problem && placeProblem(file, row, result.problem);
    return { ...result, row: row.row, problem };
  });
}

/** The most faults that the problem of a file lists; `results` has them all. */
const ERRORS_MAX_COUNT = 100;

function rowsRefused(results: PriceListResultRow[]): Problem {
  const errors = results.flatMap(({ problem }) => problem?.errors ?? []);
  const refused = results.filter(({ problem }) => problem !== null).length;
  const detail = `${refused} of ${results.length} rows are refused, so nothing is changed; see results.`;
  return new Problem('rows_refused', detail, {
    errors: errors.slice(0, ERRORS_MAX_COUNT),
    results,
  });
}
