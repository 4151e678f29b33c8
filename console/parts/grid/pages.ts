/** A page of a list, as the server gives it. */
export interface GridPage<Row> {
  rows: readonly Row[];
  next: string | null;
  totalCount?: number | undefined;
  isTotalExact?: boolean | undefined;
}

/** A page that was loaded once. The rows of one that is far from the screen are dropped; its cursor reads them again. */
export interface Slot<Row> {
  cursor: string | undefined;
  ids: readonly (string | undefined)[];
  rows: readonly Row[] | undefined;
  /** A change may have touched its rows since it was read. */
  isStale: boolean;
}

export interface Pages<Row> {
  slots: readonly Slot<Row>[];
  next: string | null;
  totalCount: number | undefined;
  isTotalExact: boolean | undefined;
  /** Raised when the list begins anew. */
  generation: number;
}

export interface FlatRows<Row> {
  rows: readonly (Row | undefined)[];
  ids: readonly (string | undefined)[];
  /** The index of the first row of each slot, and the number of all rows. */
  starts: readonly number[];
}

export function makeSlot<Row>(
  cursor: string | undefined,
  rows: readonly Row[],
  rowId: (row: Row) => string,
): Slot<Row> {
  return { cursor, ids: rows.map(rowId), rows, isStale: false };
}

/** Puts the rows of all pages in one list, each id once. */
export function flattenPages<Row>(
  slots: readonly Slot<Row>[],
  rowId: (row: Row) => string,
): FlatRows<Row> {
  const rows: (Row | undefined)[] = [];
  const ids: (string | undefined)[] = [];
  const starts: number[] = [];
  const seen = new Set<string>();
  for (const slot of slots) {
    starts.push(rows.length);
    if (!slot.rows) {
      for (const id of slot.ids) {
        rows.push(undefined);
        ids.push(id);
      }
      continue;
    }
    for (const row of slot.rows) {
      const id = rowId(row);
      if (seen.has(id)) continue;
      seen.add(id);
      rows.push(row);
      ids.push(id);
    }
  }
  return { rows, ids, starts: [...starts, rows.length] };
}

/** The numbers of the slots that have rows between two indexes. */
export function slotsBetween(starts: readonly number[], first: number, last: number): number[] {
  const found: number[] = [];
  for (let slot = 0; slot < starts.length - 1; slot++)
    if ((starts[slot] ?? 0) <= last && (starts[slot + 1] ?? 0) > first) found.push(slot);
  return found;
}

/** Drops the rows of slots that are more than `distance` slots away from those on the screen. */
export function dropFarRows<Row>(
  pages: Pages<Row>,
  near: readonly number[],
  { most, distance }: { most: number; distance: number },
): Pages<Row> {
  if (pages.slots.filter(({ rows }) => rows).length <= most) return pages;
  const slots = pages.slots.map((slot, index) =>
    slot.rows && near.every((other) => Math.abs(other - index) > distance)
      ? { ...slot, rows: undefined }
      : slot,
  );
  return { ...pages, slots };
}
