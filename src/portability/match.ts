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
  { pointer, keyField, noun, mayShare }: Kind,
  { report, newId }: { report: Report; newId: () => string },
): Match[] {
  const ids = new Set(rows.map(({ id }) => id));
  const named = new Map<string, number>();
  for (const { id, at } of entries) if (id !== undefined && !named.has(id)) named.set(id, at);
  const free = group(rows.filter(({ id }) => !named.has(id)));
  const sharing = group(
    entries.flatMap(({ id, key = null, at }) =>
      id === undefined && key !== null ? [{ at, key }] : [],
    ),
  );

  function matchById(at: number, id: string): Match | undefined {
    const first = named.get(id);
    if (first === at) return { at, id, isNew: !ids.has(id) };
    report(below(below(pointer, at), 'id'), `is the id of ${below(pointer, first ?? 0)}, too.`);
    return undefined;
  }

  function matchByKey(at: number, key: string): Match | undefined {
    const place = below(below(pointer, at), keyField);
    const [first, second] = sharing.get(key) ?? [];
    const [row, another] = free.get(key) ?? [];
    const shares = second !== undefined;
    if (shares && first !== undefined && first.at !== at && !mayShare)
      report(
        place,
        `is that of ${below(pointer, first.at)}, too; give their ids to tell them apart.`,
      );
    else if (another !== undefined)
      report(
        place,
        `is that of several ${noun}s of the account; give the id of the one that is meant.`,
      );
    else if (row !== undefined && shares && mayShare)
      report(
        place,
        `is that of several ${noun}s of the file and of one of the account; give their ids.`,
      );
    else return { at, id: row?.id ?? newId(), isNew: row === undefined };
    return undefined;
  }

  return entries.flatMap(({ at, id, key }) => {
    if (id !== undefined) return matchById(at, id) ?? [];
    if (key !== undefined) return matchByKey(at, key) ?? [];
    report(below(below(pointer, at), keyField), `is required for a ${noun} without an id.`);
    return [];
  });
}

function group<T extends { key: string }>(all: T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const same = groups.get(each.key);
    if (same === undefined) groups.set(each.key, [each]);
    else same.push(each);
  }
  return groups;
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
