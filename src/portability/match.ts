import { listEntries } from './entries.ts';
import type { FaultList } from './faults.ts';

/** The functions of a plan that report a fault and make the id of a new row. */
export interface PlanContext extends FaultList {
  newId: () => string;
}

/** A list of the file, and how its entries name their rows. */
export interface ListKind<Fields> {
  /** A JSON pointer to the list. */
  pointer: string;
  noun: string;
  /** The field that finds the row of an entry without an id. */
  keyField: string;
  /** Reads the key from a row or an entry; '' or undefined when it has none. */
  keyOf: (fields: Fields) => string | undefined;
  /** Whether several entries without an id can share a key, when the account has no row with it. */
  canShareKey: boolean;
}

/** An entry and the row that it stands for. */
export interface Match<Entry> {
  at: number;
  entry: Entry;
  id: string;
  isNew: boolean;
}

/**
 * Finds the row of each entry: by its id, which may be new; without an id by its key, among the rows that no id in the
 * file names. Reports and leaves out each entry that does not name exactly one row.
 */
export function matchEntries<Fields, Entry extends Fields & { id?: string }>(
  entries: readonly Entry[] | undefined,
  rows: { id: string; key: string }[],
  kind: ListKind<Fields>,
  { report, newId }: PlanContext,
): Match<Entry>[] {
  const keyed = listEntries(entries).map(({ at, entry }) => {
    return { at, entry, id: entry.id?.toLowerCase(), key: kind.keyOf(entry) };
  });
  const choices = gatherChoices(keyed, rows);
  const rowIds = new Set(rows.map(({ id }) => id));
  return keyed.flatMap(({ at, entry, id, key }) => {
    const fault =
      id === undefined
        ? explainKeyFault({ at, key }, choices, kind)
        : explainIdFault({ at, id }, choices, kind);
    if (fault !== null) {
      report(`${kind.pointer}/${at}/${id === undefined ? kind.keyField : 'id'}`, fault);
      return [];
    }
    const rowId = id ?? choices.freeRows.get(key ?? '')?.[0]?.id ?? newId();
    return { at, entry, id: rowId, isNew: !rowIds.has(rowId) };
  });
}

interface Keyed {
  at: number;
  id: string | undefined;
  key: string | undefined;
}

/** The rows and the entries that an entry can be confused with. */
interface Choices {
  /** The index of the first entry with each id. */
  firstOfId: Map<string, number>;
  /** By key: the rows that no entry names by its id. */
  freeRows: Map<string, { id: string }[]>;
  /** By key: the entries without an id. */
  entriesOfKey: Map<string, { at: number }[]>;
  /** By key: the index of the entry that names a row by its id and does not change the key. */
  ownerOfKey: Map<string, number>;
}

function gatherChoices(entries: Keyed[], rows: { id: string; key: string }[]): Choices {
  const named = new Map<string, Keyed>();
  for (const entry of entries)
    if (entry.id !== undefined && !named.has(entry.id)) named.set(entry.id, entry);
  const ownerOfKey = new Map<string, number>();
  for (const { id, key } of rows) {
    const entry = named.get(id);
    if (entry !== undefined && entry.key === undefined) ownerOfKey.set(key, entry.at);
  }
  const freeRows = rows.filter(({ id }) => !named.has(id));
  const withoutId = entries.filter(({ id }) => id === undefined);
  return {
    firstOfId: new Map([...named].map(([id, { at }]) => [id, at])),
    freeRows: Map.groupBy(freeRows, ({ key }) => key),
    entriesOfKey: Map.groupBy(withoutId, ({ key }) => key ?? ''),
    ownerOfKey,
  };
}

function explainIdFault(
  { at, id }: { at: number; id: string },
  { firstOfId }: Choices,
  { pointer }: ListKind<never>,
): string | null {
  const first = firstOfId.get(id) ?? at;
  return first === at ? null : `is the id of ${pointer}/${first}, too.`;
}

function explainKeyFault(
  { at, key }: { at: number; key: string | undefined },
  { freeRows, entriesOfKey, ownerOfKey }: Choices,
  { pointer, noun, canShareKey }: ListKind<never>,
): string | null {
  if (key === undefined) return `is required for a ${noun} without an id.`;
  const [first, second] = entriesOfKey.get(key) ?? [];
  const [row, anotherRow] = freeRows.get(key) ?? [];
  const owner = ownerOfKey.get(key);
  if (first !== undefined && first.at !== at && !canShareKey)
    return `is that of ${pointer}/${first.at}, too; give their ids to tell them apart.`;
  if (owner !== undefined)
    return `is that of ${pointer}/${owner}, too; give an id here if another ${noun} is meant.`;
  if (anotherRow !== undefined)
    return `is that of several ${noun}s of the account; give the id of the one that is meant.`;
  if (row !== undefined && second !== undefined && canShareKey)
    return `is that of several ${noun}s of the file and of one of the account; give their ids.`;
  return null;
}
