import { newId } from '../platform/text/index.ts';
import type { FaultList } from './faults.ts';

/** An entry of a list of the file, and the JSON pointer to it. */
export interface Listed<Entry> {
  pointer: string;
  entry: Entry;
}

/** Lists the entries of a list that may be absent, without those that were left out for a fault. */
export function listEntries<Entry>(
  list: readonly Entry[] | undefined,
  pointer: string,
): Listed<Entry>[] {
  const listed = list?.map((entry, index) => ({ pointer: `${pointer}/${index}`, entry })) ?? [];
  return listed.filter(({ entry }) => entry !== undefined);
}

/** How the entries of one kind name their rows. */
export interface EntryKind<Fields> {
  noun: string;
  /** The field that finds the row of an entry without an id. */
  keyField: string;
  /** Reads the key from a row or an entry; '' or undefined when it has none. */
  keyOf: (fields: Fields) => string | undefined;
  /** Whether several entries without an id can share a key, when the account has no row with it. */
  canShareKey?: boolean;
}

/** An entry and the row that it stands for. */
export interface Match<Entry> extends Listed<Entry> {
  id: string;
  isNew: boolean;
}

/**
 * Finds the row of each entry: by its id, which may be new; without an id by its key, among the rows that no id in the
 * file names. Reports and leaves out each entry that does not name exactly one row. `keyOfRow` has the key of each
 * stored row by its id.
 */
export function matchEntries<Fields, Entry extends Fields & { id?: string }>(
  entries: Listed<Entry>[],
  keyOfRow: Map<string, string>,
  kind: EntryKind<Fields>,
  faults: FaultList,
): Match<Entry>[] {
  const keyed = entries.map(({ pointer, entry }) => {
    return { pointer, entry, id: entry.id?.toLowerCase(), key: kind.keyOf(entry) };
  });
  const choices = gatherChoices(keyed, keyOfRow);
  return keyed.flatMap((each) => {
    const { pointer, entry, id, key } = each;
    const fault = explainFault(each, choices, kind);
    if (fault !== null) {
      faults.report(`${pointer}/${id === undefined ? kind.keyField : 'id'}`, fault);
      return [];
    }
    const rowId = id ?? choices.freeRows.get(key)?.[0]?.id ?? newId();
    return { pointer, entry, id: rowId, isNew: !keyOfRow.has(rowId) };
  });
}

interface Keyed {
  pointer: string;
  id: string | undefined;
  key: string | undefined;
}

/** The rows and the entries that an entry can be confused with. */
interface Choices {
  entriesOfId: Map<string | undefined, Keyed[]>;
  /** By key: the entries without an id. */
  entriesOfKey: Map<string | undefined, Keyed[]>;
  /** By key: the entry that names a row by its id and does not change the key. */
  ownerOfKey: Map<string | undefined, Keyed>;
  /** By key: the rows that no entry names by its id. */
  freeRows: Map<string | undefined, { id: string }[]>;
}

function gatherChoices(entries: Keyed[], keyOfRow: Map<string, string>): Choices {
  const entriesOfId = Map.groupBy(entries, ({ id }) => id);
  const entriesOfKey = Map.groupBy(entriesOfId.get(undefined) ?? [], ({ key }) => key);
  const ownerOfKey = new Map<string | undefined, Keyed>();
  const free: { id: string; key: string | undefined }[] = [];
  for (const [id, key] of keyOfRow) {
    const [entry] = entriesOfId.get(id) ?? [];
    if (entry === undefined) free.push({ id, key });
    else if (entry.key === undefined) ownerOfKey.set(key, entry);
  }
  return { entriesOfId, entriesOfKey, ownerOfKey, freeRows: Map.groupBy(free, ({ key }) => key) };
}

/** Says why an entry does not name exactly one row, or null. */
function explainFault(
  entry: Keyed,
  { entriesOfId, entriesOfKey, ownerOfKey, freeRows }: Choices,
  { noun, canShareKey = false }: EntryKind<never>,
): string | null {
  const { id, key } = entry;
  const group = id === undefined ? entriesOfKey.get(key) : entriesOfId.get(id);
  const [first = entry, second] = group ?? [];
  if (id !== undefined) return first === entry ? null : `is the id of ${first.pointer}, too.`;
  if (key === undefined) return `is required for a ${noun} without an id.`;
  if (first !== entry && !canShareKey)
    return `is that of ${first.pointer}, too; give their ids to tell them apart.`;
  const owner = ownerOfKey.get(key);
  if (owner !== undefined)
    return `is that of ${owner.pointer}, too; give an id here if another ${noun} is meant.`;
  const [row, anotherRow] = freeRows.get(key) ?? [];
  if (anotherRow !== undefined)
    return `is that of several ${noun}s of the account; give the id of the one that is meant.`;
  if (row !== undefined && second !== undefined && canShareKey)
    return `is that of several ${noun}s of the file and of one of the account; give their ids.`;
  return null;
}
