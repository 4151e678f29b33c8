import {
  invalidRequest,
  Problem,
  type FieldFault,
  type ProblemDetails,
} from '../platform/http/index.ts';
import { fold, rewriteAsNumber, unguardCell, withPoint } from '../platform/text/index.ts';
import { createLotFinder, findUnitFaults, type BatchRow, type Unit } from '../projects/index.ts';
import { FIELDS, formatAlternatives, isSameCell, readCell, type Field } from './cells.ts';
import { NAMING_COLUMNS, type Column } from './columns.ts';
import type { FileRow, PriceListFile } from './read-file.ts';

/** A row of a price list as a row of a batch, with the column that names its unit. */
export interface PriceListRow {
  row: number;
  change: BatchRow;
  by: Column;
}

/** Converts the rows of a price list to rows of a batch for the units of the project. */
export function planRows(file: PriceListFile, units: Unit[]): PriceListRow[] {
  const find = createUnitFinder(file, units);
  return file.rows.map((fileRow, index) => {
    const cellOf = (column: Column): string | undefined => {
      const place = file.places.get(column);
      return place === undefined ? undefined : fileRow.cells[place];
    };
    const { by, found } = find(cellOf);
    const plan = found instanceof Problem ? found : planSet(file, found, cellOf, by);
    const ifMatch = readVersion(cellOf('version'));
    const problem = findProblem(file, fileRow, [plan, ifMatch]);
    const isPlanned =
      problem === null && !(plan instanceof Problem) && !(ifMatch instanceof Problem);
    const change: BatchRow = {
      index,
      id: found instanceof Problem ? null : found.id,
      ifMatch: isPlanned ? ifMatch : null,
      set: isPlanned ? plan : {},
      adjust: null,
      problem,
    };
    return { row: fileRow.row, change, by };
  });
}

type CellOf = (column: Column) => string | undefined;

/** Finds the problem of a row that is refused whatever the stored unit is. */
function findProblem(
  { headers }: PriceListFile,
  { cells, fault }: FileRow,
  parts: (object | string | null)[],
): Problem | null {
  if (fault !== null) return invalidRequest([{ pointer: '', detail: `${fault}.` }]);
  if (cells.slice(headers.length).some((cell) => cell.trim() !== ''))
    return invalidRequest([{ pointer: '', detail: 'The row has more cells than the header.' }]);
  return parts.find((part) => part instanceof Problem) ?? null;
}

type NamingColumn = (typeof NAMING_COLUMNS)[number];
type TextColumn = Exclude<NamingColumn, 'unitId'>;

/** Reads the text by which a column names a unit. In the column of lots, a unit without a lot number has its name. */
function readNaming(by: NamingColumn, { id, lotNumber, name }: Unit): string {
  if (by === 'unitId') return id;
  return by === 'lotNumber' ? String(lotNumber ?? name) : name;
}

/** Creates the function that finds the unit of a row by its id, or else by its lot number, or else by its name. */
function createUnitFinder(file: PriceListFile, units: Unit[]) {
  const groupBy = (by: NamingColumn) => Map.groupBy(units, (unit) => toKey(readNaming(by, unit)));
  const keys = {
    unitId: groupBy('unitId'),
    lotNumber: groupBy('lotNumber'),
    name: groupBy('name'),
  };
  const findByLot = createLotFinder(units);
  const findRewritten = createRewrittenFinder(file, units);
  return (cellOf: CellOf): { by: Column; found: Unit | Problem } => {
    const by = NAMING_COLUMNS.find((column) => (cellOf(column) ?? '').trim() !== '');
    if (by === undefined) return { by: 'unitId', found: unnamed() };
    const cell = unguardCell(cellOf(by) ?? '');
    const [unit, ...others] = keys[by].get(toKey(cell)) ?? [];
    if (others.length > 0) return { by, found: ambiguous(by) };
    const rewritten = by === 'unitId' ? [] : findRewritten(by, cell);
    if (unit === undefined)
      return {
        by,
        found: (by === 'lotNumber' && findByLot(cell)) || unknown(by, rewritten),
      };
    if (rewritten.length === 0) return { by, found: unit };
    const candidates = [unit, ...rewritten];
    const [named, ...more] = candidates.filter(({ name }) =>
      isSameCell(cellOf('name') ?? '', name),
    );
    const isNamed = by !== 'name' && named !== undefined && more.length === 0;
    return { by, found: isNamed ? named : uncertain(by, candidates) };
  };
}

/**
 * Creates the function that finds the units whose lot or name a spreadsheet may have written as a cell, such as `3.10` as `3.1`.
 * It leaves out units that the file names exactly: no spreadsheet has rewritten those.
 */
function createRewrittenFinder({ rows, places }: PriceListFile, units: Unit[]) {
  const indexBy = (by: TextColumn) => {
    const place = places.get(by);
    const written = new Set(rows.map(({ cells }) => toKey(cells[place ?? -1] ?? '')));
    const missing = units.filter((unit) => !written.has(toKey(readNaming(by, unit))));
    return Map.groupBy(missing, (unit) => rewriteAsNumber(readNaming(by, unit)));
  };
  const indexes = { lotNumber: indexBy('lotNumber'), name: indexBy('name') };
  return (by: TextColumn, cell: string): Unit[] => indexes[by].get(withPoint(cell)) ?? [];
}

const toKey = (text: string): string => fold(text).trim();

const unnamed = () =>
  invalidRequest([
    { pointer: '/unitId', detail: 'The row must have a unitId, a lotNumber or a name.' },
  ]);

function unknown(by: NamingColumn, meant: Unit[]): Problem {
  const rule = `${by} must be that of a unit of this project.`;
  const hint = ` Did you mean ${formatTexts(by, meant)}? Spreadsheets drop leading and trailing zeros: restore them, or add the unitId.`;
  return new Problem('unit_not_found', meant.length === 0 ? rule : rule + hint);
}

const uncertain = (by: NamingColumn, meant: Unit[]) =>
  invalidRequest([
    {
      pointer: `/${by}`,
      detail: `${by} may mean ${formatTexts(by, meant)}, since spreadsheets drop leading and trailing zeros; send the unitId.`,
    },
  ]);

function formatTexts(by: NamingColumn, units: Unit[]): string {
  return formatAlternatives([...new Set(units.map((unit) => readNaming(by, unit)))]);
}

const ambiguous = (by: Column) =>
  invalidRequest([
    { pointer: `/${by}`, detail: `Several units of the project have this ${by}; send the unitId.` },
  ]);

/** Reads the fields that a row changes. The column that names the unit changes nothing. */
function planSet(
  { hasDecimalComma }: PriceListFile,
  unit: Unit,
  cellOf: CellOf,
  by: Column,
): BatchRow['set'] | Problem {
  const set: Partial<Record<Field, string | number | null>> = {};
  const faults: FieldFault[] = [];
  for (const field of FIELDS) {
    const cell = cellOf(field);
    if (cell === undefined || field === by || isSameCell(cell, unit[field])) continue;
    const read = readCell(field, cell, unit, hasDecimalComma);
    if ('rule' in read) faults.push({ pointer: `/${field}`, detail: `${field} ${read.rule}` });
    else set[field] = read.value;
  }
  faults.push(...findUnitFaults(set));
  return faults.length === 0 ? (set as BatchRow['set']) : invalidRequest(faults);
}

/** Reads the version that a unit must have; null means any. */
function readVersion(cell = ''): string | null | Problem {
  const text = cell.trim();
  if (text === '') return null;
  if (/^\d{1,10}$/.test(text)) return `"${Number(text)}"`;
  return invalidRequest([
    {
      pointer: '/version',
      detail: 'version must be the number that the price list has, or empty.',
    },
  ]);
}

/** Adds the place in the file to the problem of a row: each fault gets its row and its column. */
export function placeProblem(
  { headers, places }: PriceListFile,
  { row, by }: Pick<PriceListRow, 'row' | 'by'>,
  problem: ProblemDetails,
): ProblemDetails {
  const { errors = [{ detail: problem.detail }] } = problem;
  const own = problem.code === 'precondition_failed' ? 'version' : by;
  const placed = errors.map(({ pointer, detail }) => {
    const name = pointer === '/id' ? own : (pointer?.replace(/^\/(set\/)?/, '') ?? own);
    const place = places.get(name as Column);
    return { row, ...(place !== undefined && { column: headers[place] ?? '' }), detail };
  });
  return { ...problem, errors: placed };
}
