import { newId } from '../platform/text/index.ts';
import type { FaultList } from './faults.ts';

/** An entry of a list in the file, and the JSON pointer to it. */
export interface ListedEntry<Entry> {
  pointer: string;
  entry: Entry;
}

/** Lists the valid entries of a list, with their pointers. The list may be absent. */
export function listEntries<Entry>(
  list: readonly Entry[] | undefined,
  pointer: string,
): ListedEntry<Entry>[] {
  const listed = list?.map((entry, index) => ({ pointer: `${pointer}/${index}`, entry })) ?? [];
  return listed.filter(({ entry }) => entry !== undefined);
}

/** How the entries of one kind (users, projects, units, contacts) identify their rows. */
export interface EntryKind<Fields> {
  noun: string;
  /** The name of the field that identifies the row when an entry has no id. */
  keyField: string;
  /** Reads the key of a row or an entry. Returns '' or undefined when it has none. */
  readKey: (fields: Fields) => string | undefined;
  /** Whether several entries without an id can have the same key, if the account has no row with this key. */
  canShareKey?: boolean;
}

/** An entry, and the id of the row that it identifies. */
export interface MatchedEntry<Entry> extends ListedEntry<Entry> {
  id: string;
  isNew: boolean;
}

/**
 * Finds the row of each entry: by its id, which may be new, or else by its key among the rows that no entry names by id. Reports
 * and omits each entry that does not identify exactly one row. `keyOfRow` has the key of each stored row by its id.
 */
export function matchEntries<Fields, Entry extends Fields & { id?: string }>(
  entries: ListedEntry<Entry>[],
  keyOfRow: Map<string, string>,
  kind: EntryKind<Fields>,
  faults: FaultList,
): MatchedEntry<Entry>[] {
  const keyed = entries.map(({ pointer, entry }) => {
    return { pointer, entry, id: entry.id?.toLowerCase(), key: kind.readKey(entry) };
  });
  const candidates = gatherCandidates(keyed, keyOfRow);
  return keyed.flatMap((each) => {
    const { pointer, entry, id, key } = each;
    const fault = explainFault(each, candidates, kind);
    if (fault !== null) {
      faults.report(`${pointer}/${id === undefined ? kind.keyField : 'id'}`, fault);
      return [];
    }
    const rowId = id ?? candidates.freeRows.get(key)?.[0]?.id ?? newId();
    return { pointer, entry, id: rowId, isNew: !keyOfRow.has(rowId) };
  });
}

interface KeyedEntry {
  pointer: string;
  id: string | undefined;
  key: string | undefined;
}

/** The rows and entries that an entry may identify, or may conflict with. */
interface Candidates {
  entriesOfId: Map<string | undefined, KeyedEntry[]>;
  /** The entries without an id, by their keys. */
  entriesOfKey: Map<string | undefined, KeyedEntry[]>;
  /** For each key, the entry that identifies the row with this key by its id, and does not change the key. */
  ownerOfKey: Map<string | undefined, KeyedEntry>;
  /** The rows that no entry names by id, by their keys. */
  freeRows: Map<string | undefined, { id: string }[]>;
}

function gatherCandidates(entries: KeyedEntry[], keyOfRow: Map<string, string>): Candidates {
  const entriesOfId = Map.groupBy(entries, ({ id }) => id);
  const entriesOfKey = Map.groupBy(entriesOfId.get(undefined) ?? [], ({ key }) => key);
  const ownerOfKey = new Map<string | undefined, KeyedEntry>();
  const freeRows: { id: string; key: string | undefined }[] = [];
  for (const [id, key] of keyOfRow) {
    const [entry] = entriesOfId.get(id) ?? [];
    if (entry === undefined) freeRows.push({ id, key });
    else if (entry.key === undefined) ownerOfKey.set(key, entry);
  }
  return {
    entriesOfId,
    entriesOfKey,
    ownerOfKey,
    freeRows: Map.groupBy(freeRows, ({ key }) => key),
  };
}

/** Explains why an entry does not identify exactly one row, or returns null. */
function explainFault(
  entry: KeyedEntry,
  { entriesOfId, entriesOfKey, ownerOfKey, freeRows }: Candidates,
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
