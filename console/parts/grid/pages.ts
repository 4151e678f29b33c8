/** A page of a list, as the service returns it. */
export interface GridPage<Row> {
  rows: readonly Row[];
  next: string | null;
  totalCount?: number | undefined;
  isTotalExact?: boolean | undefined;
}

/** A page that was loaded once. Its rows are dropped when they are far from the screen; its cursor reads them again. */
export interface Slot<Row> {
  cursor: string | undefined;
  ids: readonly (string | undefined)[];
  rows: readonly Row[] | undefined;
  /** Whether the rows may have changed since they were read. */
  isStale: boolean;
}

/** The rows on the screen, and the active one. */
export interface Range {
  first: number;
  last: number;
  active: number;
}

export interface Pages<Row> {
  slots: readonly Slot<Row>[];
  next: string | null;
  totalCount: number | undefined;
  isTotalExact: boolean | undefined;
  /** Increased when the list starts again at its first row. */
  generation: number;
}

export interface FlatRows<Row> {
  /** All rows in order, as a sparse array: rows that are not loaded are holes, so that 1,000,000 rows take little memory. */
  rows: readonly (Row | undefined)[];
  idAt: (index: number) => string | undefined;
  /** The index of the first row of each slot. The last element is the number of all rows. */
  starts: readonly number[];
}

/** Makes the slot of a page that was just loaded. */
export function makeSlot<Row>(
  cursor: string | undefined,
  rows: readonly Row[],
  rowId: (row: Row) => string,
): Slot<Row> {
  return { cursor, ids: rows.map(rowId), rows, isStale: false };
}

/** Joins the rows of all slots, each loaded id once. Its cost depends on the loaded rows and the slots, not on the length of the list. */
export function flattenPages<Row>(
  slots: readonly Slot<Row>[],
  rowId: (row: Row) => string,
): FlatRows<Row> {
  const rows: (Row | undefined)[] = [];
  const ids: Slot<Row>['ids'][] = [];
  const starts: number[] = [0];
  const seen = new Set<string>();
  let length = 0;
  for (const slot of slots) {
    const slotIds = slot.rows ? takeNew(slot.rows, { seen, rows, from: length, rowId }) : slot.ids;
    ids.push(slotIds);
    length += slotIds.length;
    starts.push(length);
  }
  rows.length = length;
  const idAt = (index: number): string | undefined => {
    const slot = findSlot(starts, index);
    return ids[slot]?.[index - (starts[slot] ?? 0)];
  };
  return { rows, idAt, starts };
}

/** Adds the rows of a slot that no earlier slot has. Returns their ids. */
function takeNew<Row>(
  slotRows: readonly Row[],
  {
    seen,
    rows,
    from,
    rowId,
  }: {
    seen: Set<string>;
    rows: (Row | undefined)[];
    from: number;
    rowId: (row: Row) => string;
  },
): string[] {
  const ids: string[] = [];
  for (const row of slotRows) {
    const id = rowId(row);
    if (seen.has(id)) continue;
    seen.add(id);
    rows[from + ids.length] = row;
    ids.push(id);
  }
  return ids;
}

/** Finds the last slot that begins at or before an index, by binary search. */
function findSlot(starts: readonly number[], index: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Lists the slots that have rows between two indexes. */
export function slotsBetween(starts: readonly number[], first: number, last: number): number[] {
  const found: number[] = [];
  for (let slot = 0; slot < starts.length - 1; slot++)
    if ((starts[slot] ?? 0) <= last && (starts[slot + 1] ?? 0) > first) found.push(slot);
  return found;
}

/** When more than `most` slots have rows, drops the rows of those that are more than `distance` slots away from the screen. */
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
