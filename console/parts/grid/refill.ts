import { makeSlot, type GridPage, type Pages, type Slot } from './pages.ts';

export type ReadPage<Row> = (cursor: string | undefined) => Promise<GridPage<Row>>;

const MOST_READS = 5;

/**
 * Reads the rows of a slot whose rows were dropped. Rows may have been added or deleted since. When the next slot has rows, this
 * slot takes all rows before the first of them; otherwise the next slot begins where this one ends.
 */
export async function fillSlot<Row>(
  pages: Pages<Row>,
  index: number,
  read: ReadPage<Row>,
  rowId: (row: Row) => string,
): Promise<(pages: Pages<Row>) => Pages<Row>> {
  const following = pages.slots[index + 1];
  const boundary = following?.rows?.[0] && rowId(following.rows[0]);
  const cursor = pages.slots[index]?.cursor;
  const rows: Row[] = [];
  let next: string | null | undefined = cursor ?? null;
  for (let reads = 0; reads < MOST_READS; reads++) {
    const page: GridPage<Row> = await read(reads === 0 ? cursor : (next ?? undefined));
    const end = page.rows.findIndex((row) => rowId(row) === boundary);
    rows.push(...(end === -1 ? page.rows : page.rows.slice(0, end)));
    next = end === -1 ? page.next : following?.cursor;
    if (end !== -1 || boundary === undefined || next === null || next === following?.cursor) break;
  }
  return (current) => putSlot(current, index, makeSlot(cursor, rows, rowId), next);
}

function putSlot<Row>(
  pages: Pages<Row>,
  index: number,
  slot: Slot<Row>,
  next: string | null | undefined,
): Pages<Row> {
  const following = pages.slots[index + 1];
  const before = pages.slots.slice(0, index);
  if (!following) return { ...pages, slots: [...before, slot], next: next ?? null };
  // The list now ends with this slot.
  if (next === null) return { ...pages, slots: [...before, slot], next: null };
  const after =
    next === undefined || next === following.cursor
      ? following
      : { cursor: next, ids: following.ids.map(() => undefined), rows: undefined, isStale: false };
  return { ...pages, slots: [...before, slot, after, ...pages.slots.slice(index + 2)] };
}

/** Reads slots again. All rows of other slots are dropped, since rows may have moved from one slot to another. */
export async function readSlotsAnew<Row>(
  pages: Pages<Row>,
  indexes: readonly number[],
  read: ReadPage<Row>,
  rowId: (row: Row) => string,
): Promise<(pages: Pages<Row>) => Pages<Row>> {
  const puts: ((pages: Pages<Row>) => Pages<Row>)[] = [];
  let anew = dropRows(pages);
  for (const index of indexes) {
    const put = await fillSlot(anew, index, read, rowId);
    puts.push(put);
    anew = put(anew);
  }
  return (current) => puts.reduce((all, put) => put(all), dropRows(current));
}

function dropRows<Row>(pages: Pages<Row>): Pages<Row> {
  const slots = pages.slots.map((slot) => ({ ...slot, rows: undefined, isStale: false }));
  return { ...pages, slots };
}
