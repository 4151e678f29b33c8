import type { Change, FieldChange, RowPlan } from '../platform/fields/index.ts';
import { matchEntries, type EntryKind, type ListedEntry } from './entries.ts';
import type { FaultList } from './faults.ts';

/** The report shows at most this many created rows and this many updated rows of each kind. */
export const DETAILS_MAX_COUNT = 20;

/** A row that a load creates, changes or removes. */
export interface RowChange {
  noun: 'organization' | 'user' | 'project' | 'unit' | 'contact';
  /** The email, the slug, or the slug of the project with the name of the unit. */
  name: string;
  change: Change | 'removed';
  /** The fields of an updated row that change. */
  fields: FieldChange[];
  /** Describes changes outside the fields of the row, such as `tags +2`. */
  added: string[];
}

/** An entry, and its row as it will be after the load. */
export interface PlannedRow<Row, Entry = unknown> extends ListedEntry<Entry> {
  row: Row;
  /** The row before the load, or undefined when the load creates it. */
  stored: Row | undefined;
  change: Change;
}

/** A kind of entries, with the rule of its room for how an entry changes its row. */
interface PlannedKind<Fields, Row, Entry> extends EntryKind<Fields> {
  plan: (stored: Row | undefined, id: string, entry: Entry) => RowPlan<Row>;
}

/** Finds the row of each entry, applies the rule of its room, and reports the faults. */
export function planRows<
  Fields,
  Entry extends Fields & { id?: string },
  Row extends Fields & { id: string },
>(
  entries: ListedEntry<Entry>[],
  stored: Row[],
  kind: PlannedKind<Fields, Row, Entry>,
  faults: FaultList,
): PlannedRow<Row, Entry>[] {
  const storedById = new Map(stored.map((row) => [row.id, row]));
  const keyOfRow = new Map(stored.map((row) => [row.id, kind.readKey(row) ?? '']));
  return matchEntries(entries, keyOfRow, kind, faults).map(({ pointer, entry, id }) => {
    const storedRow = storedById.get(id);
    const { row, change, faults: found } = kind.plan(storedRow, id, entry);
    faults.reportWithin(pointer, found);
    return { pointer, entry, row, stored: storedRow, change };
  });
}

/** Lists the rows that the account has after the load. Rows that are not in the file come first. */
export function listRowsAfter<Row extends { id: string }>(
  planned: PlannedRow<Row>[],
  stored: Row[],
): Row[] {
  const listedIds = new Set(planned.map(({ row }) => row.id));
  return [...stored.filter(({ id }) => !listedIds.has(id)), ...planned.map(({ row }) => row)];
}

/** Reports each entry whose key belongs to another row of the account after the load. */
export function reportTakenKeys<Fields, Row extends Fields & { id: string }>(
  planned: PlannedRow<Row>[],
  stored: Row[],
  { keyField, readKey }: EntryKind<Fields>,
  detail: string,
  faults: FaultList,
): void {
  const pointers = new Map(planned.map(({ pointer, row }) => [row.id, pointer]));
  const owners = new Map<string, string | undefined>();
  for (const row of listRowsAfter(planned, stored)) {
    const key = readKey(row);
    if (!key) continue;
    const own = pointers.get(row.id);
    const owner = owners.get(key);
    if (own === undefined || !owners.has(key)) owners.set(key, own);
    else
      faults.report(`${own}/${keyField}`, owner ? `is that of ${owner}, too; ${detail}` : detail);
  }
}

/** Counts an unchanged row as updated when rows that belong to it change. */
export function joinChanges(change: Change, hasChangedParts: boolean): Change {
  return change === 'unchanged' && hasChangedParts ? 'updated' : change;
}

/** How many entries created, updated and did not change their rows. */
export type ChangeCounts = Record<Change, number>;

/** Counts the rows of a plan by the effect that it has on them. */
export function countChanges(planned: { change: Change }[]): ChangeCounts {
  const counts: ChangeCounts = { created: 0, updated: 0, unchanged: 0 };
  for (const { change } of planned) counts[change] += 1;
  return counts;
}

/** Selects the planned rows that the load must write. */
export function selectChanged<Planned extends { change: Change }>(planned: Planned[]): Planned[] {
  return planned.filter(({ change }) => change !== 'unchanged');
}
