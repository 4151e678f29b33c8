import type { Change, RowPlan } from '../platform/fields/index.ts';
import { matchEntries, type EntryKind, type Listed } from './entries.ts';
import type { FaultList } from './faults.ts';

/** A row that an entry of the file makes. */
export interface PlannedRow<Row, Entry = unknown> extends Listed<Entry> {
  row: Row;
  change: Change;
}

/** A kind of entries with the rule of its room, which decides what an entry makes of its row. */
interface PlannedKind<Fields, Row, Entry> extends EntryKind<Fields> {
  plan: (stored: Row | undefined, id: string, entry: Entry) => RowPlan<Row>;
}

/** Matches the entries of a list to rows, plans each row by the rule of its room, and reports the faults. */
export function planRows<
  Fields,
  Entry extends Fields & { id?: string },
  Row extends Fields & { id: string },
>(
  entries: Listed<Entry>[],
  stored: Row[],
  kind: PlannedKind<Fields, Row, Entry>,
  faults: FaultList,
): PlannedRow<Row, Entry>[] {
  const storedById = new Map(stored.map((row) => [row.id, row]));
  const keyOfRow = new Map(stored.map((row) => [row.id, kind.keyOf(row) ?? '']));
  return matchEntries(entries, keyOfRow, kind, faults).map(({ pointer, entry, id }) => {
    const { row, change, faults: found } = kind.plan(storedById.get(id), id, entry);
    faults.reportWithin(pointer, found);
    return { pointer, entry, row, change };
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
  { keyField, keyOf }: EntryKind<Fields>,
  detail: string,
  faults: FaultList,
): void {
  const pointers = new Map(planned.map(({ pointer, row }) => [row.id, pointer]));
  const owners = new Map<string, string | undefined>();
  for (const row of listRowsAfter(planned, stored)) {
    const key = keyOf(row);
    if (!key) continue;
    const own = pointers.get(row.id);
    const owner = owners.get(key);
    if (own === undefined || !owners.has(key)) owners.set(key, own);
    else
      faults.report(`${own}/${keyField}`, owner ? `is that of ${owner}, too; ${detail}` : detail);
  }
}

/** Makes an unchanged row count as updated when something that belongs to it has changed. */
export function joinChanges(change: Change, hasChangedParts: boolean): Change {
  return change === 'unchanged' && hasChangedParts ? 'updated' : change;
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
