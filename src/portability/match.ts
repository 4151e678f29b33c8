import { below, type Report } from './faults.ts';

/** An entry of the file as far as its identity goes: where it is there, its id and its key, if it has them. */
export interface Identified {
  at: number;
  id: string | undefined;
  key: string | undefined;
}

/** The row that an entry stands for. */
export interface Match {
  at: number;
  id: string;
  isNew: boolean;
}

export interface Kind {
  /** Where the list is in the file. */
  pointer: string;
  /** The field that the key is made of. */
  keyField: string;
  /** What one of them is called. */
  noun: string;
  /** Whether several entries without an id may share a key, when the account has none with it. */
  mayShare: boolean;
}

/**
 * Finds the row of each entry: by its id, which may be new; without one by its key, among the rows that no
 * id in the file names. An entry for which no one row can be found is reported and left out.
 */
export function matchEntries(
  entries: Identified[],
  rows: { id: string; key: string }[],
  kind: Kind,
  { report, newId }: { report: Report; newId: () => string },
): Match[] {
  const { pointer, keyField, noun } = kind;
  const ids = new Set(rows.map(({ id }) => id));
  const named = new Map<string, Identified>();
  for (const entry of entries)
    if (entry.id !== undefined && !named.has(entry.id)) named.set(entry.id, entry);
  const choices = choicesOf(entries, rows, named);

  function matchById(at: number, id: string): Match | string {
    const first = named.get(id)?.at ?? at;
    return first === at
      ? { at, id, isNew: !ids.has(id) }
      : `is the id of ${below(pointer, first)}, too.`;
  }

  function matchByKey(at: number, key: string): Match | string {
    const fault = keyFault(at, key, choices, kind);
    if (fault !== null) return fault;
    const row = choices.free.get(key)?.[0];
    return { at, id: row?.id ?? newId(), isNew: row === undefined };
  }

  function matchOne({ at, id, key }: Identified): Match | string {
    if (id !== undefined) return matchById(at, id);
    return key === undefined ? `is required for a ${noun} without an id.` : matchByKey(at, key);
  }

  return entries.flatMap((entry) => {
    const match = matchOne(entry);
    if (typeof match !== 'string') return match;
    const field = entry.id === undefined ? keyField : 'id';
    report(below(below(pointer, entry.at), field), match);
    return [];
  });
}

/** What there is to choose from by a key. */
interface Choices {
  /** The rows that no entry names by its id. */
  free: Map<string, { id: string }[]>;
  /** Where the entries without an id are. */
  sharing: Map<string, { at: number }[]>;
  /** Where an entry is that names a row by its id and leaves it the key. */
  keeping: Map<string, number>;
}

function choicesOf(
  entries: Identified[],
  rows: { id: string; key: string }[],
  named: Map<string, Identified>,
): Choices {
  const keeping = new Map<string, number>();
  for (const { id, key } of rows) {
    const entry = named.get(id);
    if (entry !== undefined && entry.key === undefined) keeping.set(key, entry.at);
  }
  return {
    free: Map.groupBy(
      rows.filter(({ id }) => !named.has(id)),
      ({ key }) => key,
    ),
    sharing: Map.groupBy(
      entries.filter(({ id }) => id === undefined),
      ({ key }) => key ?? '',
    ),
    keeping,
  };
}

/** Why the entry at a place, which has no id, cannot be told by its key; null when it can. */
function keyFault(
  at: number,
  key: string,
  { free, sharing, keeping }: Choices,
  { pointer, noun, mayShare }: Kind,
): string | null {
  const [first, second] = sharing.get(key) ?? [];
  const [row, another] = free.get(key) ?? [];
  const keeper = keeping.get(key);
  if (first !== undefined && first.at !== at && !mayShare)
    return `is that of ${below(pointer, first.at)}, too; give their ids to tell them apart.`;
  if (keeper !== undefined)
    return `is that of ${below(pointer, keeper)}, too; give an id here if another ${noun} is meant.`;
  if (another !== undefined)
    return `is that of several ${noun}s of the account; give the id of the one that is meant.`;
  if (row !== undefined && second !== undefined && mayShare)
    return `is that of several ${noun}s of the file and of one of the account; give their ids.`;
  return null;
}

/** Reports entries of which the key is, in the end, that of another row too. */
export function reportTaken(
  rows: { pointer: string | null; key: string | undefined }[],
  keyField: string,
  detail: string,
  report: Report,
): void {
  const owners = new Map<string, string | null>();
  // Rows that the file leaves alone come first: they were there before it.
  const ordered = [
    ...rows.filter(({ pointer }) => pointer === null),
    ...rows.filter(({ pointer }) => pointer !== null),
  ];
  for (const { pointer, key } of ordered) {
    if (key === undefined) continue;
    if (pointer !== null && owners.has(key)) {
      const owner = owners.get(key);
      report(below(pointer, keyField), owner ? `is that of ${owner}, too; ${detail}` : detail);
    } else owners.set(key, pointer);
  }
}
