import type { Change, RowPlan } from '../platform/fields/index.ts';
import type { Report } from './faults.ts';
import { matchEntries, type ListKind, type PlanContext } from './match.ts';

/** A row that an entry of the file makes, with the index of the entry. */
export interface PlannedRow<Row, Entry = unknown> {
  at: number;
  entry: Entry;
  row: Row;
  change: Change;
}

/** Matches the entries of a list to rows, plans each row by the rule of its room, and reports the faults. */
export function planRows<
  Fields,
  Entry extends Fields & { id?: string },
  Row extends { id: string },
>(
  entries: readonly Entry[] | undefined,
  stored: (Row & Fields)[],
  kind: ListKind<Fields>,
  planOne: (stored: Row | undefined, id: string, entry: Entry, at: number) => RowPlan<Row>,
  context: PlanContext,
): PlannedRow<Row, Entry>[] {
  const storedById = new Map(stored.map((row) => [row.id, row]));
  const keys = stored.map((row) => ({ id: row.id, key: kind.keyOf(row) ?? '' }));
  return matchEntries(entries, keys, kind, context).map(({ at, entry, id }) => {
    const { row, change, faults } = planOne(storedById.get(id), id, entry, at);
    context.reportWithin(`${kind.pointer}/${at}`, faults);
    return { at, entry, row, change };
  });
}

/** Lists the rows that the account has after the load, first those that the file does not name. */
export function listRowsAfter<Row extends { id: string }>(
  planned: PlannedRow<Row>[],
  stored: Row[],
): Row[] {
  const named = new Set(planned.map(({ row }) => row.id));
  return [...stored.filter(({ id }) => !named.has(id)), ...planned.map(({ row }) => row)];
}

/** Reports each entry whose key another row of the account has after the load. */
export function reportTakenKeys<Fields, Row extends Fields & { id: string }>(
  planned: PlannedRow<Row>[],
  stored: Row[],
  { pointer, keyField, keyOf }: ListKind<Fields>,
  { detail, report }: { detail: string; report: Report },
): void {
  const pointers = new Map(planned.map(({ at, row }) => [row.id, `${pointer}/${at}`]));
  const owners = new Map<string, string | undefined>();
  for (const row of listRowsAfter(planned, stored)) {
    const key = keyOf(row);
    if (!key) continue;
    const own = pointers.get(row.id);
    const owner = owners.get(key);
    if (own === undefined || !owners.has(key)) owners.set(key, own);
    else report(`${own}/${keyField}`, owner ? `is that of ${owner}, too; ${detail}` : detail);
  }
}

/** How many entries created, updated and did not change their rows. */
export type Counts = Record<Change, number>;

export function countChanges(planned: { change: Change }[]): Counts {
  const counts: Counts = { created: 0, updated: 0, unchanged: 0 };
  for (const { change } of planned) counts[change] += 1;
  return counts;
}

/** The rows that are to be written. */
export function selectChangedRows<Row>(planned: PlannedRow<Row>[]): Row[] {
  return planned.filter(({ change }) => change !== 'unchanged').map(({ row }) => row);
}
