import { api, ProblemError, type Unit } from '../../api.ts';
import type { components } from '../../../client/src/schema.ts';
import { planPrice } from '../price.ts';
import type { UnitChange } from '../unit-data.ts';

export type BatchRow = components['schemas']['UnitBatchRow'];

/** A previewed change of one unit: the unit before, its version in the dry run, and the new values. */
export interface PlannedChange {
  unit: Unit;
  etag: string;
  set: UnitChange;
}

const IDS_MAX_COUNT = 100;

/** Reads units by their ids. Deleted ones are left out. */
export async function readUnits(ids: readonly string[]): Promise<Map<string, Unit>> {
  const units = new Map<string, Unit>();
  for (let from = 0; from < ids.length; from += IDS_MAX_COUNT) {
    const query = { unit: ids.slice(from, from + IDS_MAX_COUNT).join(','), limit: IDS_MAX_COUNT };
    const { data } = await api.GET('/stock/units', { params: { query } });
    for (const unit of data.data) units.set(unit.id, unit);
  }
  return units;
}

/** Returns whether a row sets a price of 0. The API stores it, but the console refuses it, as in cells: no price is an empty price. */
export const setsZero = ({ changes }: BatchRow): boolean =>
  changes.some(({ field, to }) => field === 'price' && to === 0);

/**
 * Makes the changes to send from the rows of a dry run, each with the version that the dry run saw. When the price text of a unit
 * only repeats its price, the change includes a new text. It leaves out refused units, and units that would not change.
 */
export async function planChanges(
  rows: readonly BatchRow[],
  known: ReadonlyMap<string, Unit>,
): Promise<PlannedChange[]> {
  const changed = rows.filter(
    (row) => row.changes.length > 0 && row.problem === null && !setsZero(row),
  );
  const isSeen = ({ id, etag }: BatchRow) => known.get(id ?? '')?.etag === etag;
  const missing = changed.flatMap((row) => (isSeen(row) ? [] : (row.id ?? [])));
  const read = await readUnits(missing);
  return changed.flatMap((row) => {
    const unit = read.get(row.id ?? '') ?? known.get(row.id ?? '');
    if (unit === undefined || row.etag === null) return [];
    const set = Object.fromEntries(row.changes.map(({ field, to }) => [field, to])) as UnitChange;
    const { price } = set;
    const text = price === undefined || 'priceDisplay' in set ? {} : planPrice(unit, price);
    return { unit, etag: row.etag, set: { ...set, ...text } };
  });
}

/** A unit that somebody changed after the preview, with its current values; null when it was deleted. */
export interface Stale {
  planned: PlannedChange;
  current: Unit | null;
}

/** The outcome of planned changes: all are stored, or none, because some units were changed or deleted since the preview. */
export type Outcome = { isStored: true; rows: BatchRow[] } | { isStored: false; stale: Stale[] };

/** Stores planned changes as the preview showed them: all or none. */
export async function applyChanges(planned: readonly PlannedChange[]): Promise<Outcome> {
  if (planned.length === 0) return { isStored: true, rows: [] };
  const changes = planned.map(({ unit, etag, set }) => ({
    id: unit.id,
    ifMatch: etag,
    set: set as object,
  }));
  try {
    const { data } = await api.POST('/stock/units/batch', { body: { changes } });
    return { isStored: true, rows: data.results };
  } catch (error) {
    const stale = error instanceof ProblemError ? findStale(error, planned) : [];
    if (stale.length === 0) throw error;
    return { isStored: false, stale };
  }
}

function findStale(error: ProblemError, planned: readonly PlannedChange[]): Stale[] {
  const results = (error.problem.results ?? []) as BatchRow[];
  return results.flatMap(({ index, problem }) => {
    const isDeleted = problem?.['code'] === 'unit_not_found';
    const current = isDeleted ? null : (problem?.['current'] as Unit | undefined);
    const change = planned[index];
    return current === undefined || change === undefined ? [] : { planned: change, current };
  });
}

/** Makes the changes that undo stored ones. */
export function planUndo(
  planned: readonly PlannedChange[],
  rows: readonly BatchRow[],
): PlannedChange[] {
  return planned.flatMap(({ unit, set }, index) => {
    const etag = rows[index]?.etag;
    const names = Object.keys(set) as (keyof Unit)[];
    const before = Object.fromEntries(names.map((name) => [name, unit[name] ?? null]));
    return etag == null ? [] : { unit: { ...unit, ...set }, etag, set: before };
  });
}
