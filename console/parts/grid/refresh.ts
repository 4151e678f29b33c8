import { showToast } from '../message/toast-store.ts';
import { describeProblem } from '../text/problem-texts.ts';
import { flattenPages, type GridPage, type Pages, type Range, type Slot } from './pages.ts';

export { fillSlot, readSlotsAnew } from './refill.ts';

export const sayProblem = (error: unknown): void =>
  void showToast({ text: describeProblem(error), look: 'error' });

interface RefreshOptions<Row> {
  rowId: (row: Row) => string;
  read: (cursor: string | undefined, count: boolean) => Promise<GridPage<Row>>;
  readRow: ((id: string) => Promise<Row | undefined>) | undefined;
  range: Range | undefined;
  pageSize: number;
}

interface Refreshed<Row> {
  put: (pages: Pages<Row>) => Pages<Row>;
  news: { added: number; hasMoved: boolean };
}

/**
 * Reads slots again, and updates the values of their rows. No row moves: new rows are only counted, and a row that left its page
 * keeps its place. If it is on the screen, `readRow` reads its current values; a deleted row is then removed.
 */
export async function refreshSlots<Row>(
  pages: Pages<Row>,
  indexes: readonly number[],
  { rowId, read, readRow, range, pageSize }: RefreshOptions<Row>,
): Promise<Refreshed<Row>> {
  const onScreen = listRange(pages, range ?? { first: 0, last: 0, active: 0 }, rowId);
  const added = new Set<string>();
  const fresh = new Map<string, Row | undefined>();
  let hasMoved = false;
  let total: Pick<Pages<Row>, 'totalCount' | 'isTotalExact'> = {
    totalCount: pages.totalCount,
    isTotalExact: pages.isTotalExact,
  };
  const readSlot = async (index: number) => {
    const slot = pages.slots[index];
    if (!slot) return;
    const page = await read(slot.cursor, index === 0);
    if (index === 0) total = { totalCount: page.totalCount, isTotalExact: page.isTotalExact };
    const isLast = pages.next === null && index === pages.slots.length - 1;
    const addedHere = findAdded(slot, page, { rowId, slots: pages.slots, isLast });
    for (const id of addedHere) added.add(id);
    for (const row of page.rows) fresh.set(rowId(row), row);
    const missing = (slot.rows ?? []).map(rowId).filter((id) => !fresh.has(id));
    if (readRow)
      for (const id of missing.filter((each) => onScreen.has(each)))
        fresh.set(id, await readRow(id));
    const gone = missing.filter((id) => fresh.has(id) && fresh.get(id) === undefined);
    // A full page loses as many rows as it gets new ones: those have not moved by themselves.
    const pushedOut = addedHere.length + Math.max(slot.ids.length - pageSize, 0);
    if (missing.length - gone.length > pushedOut) hasMoved = true;
  };
  await Promise.all(indexes.map(readSlot));
  const put = (current: Pages<Row>): Pages<Row> => ({
    ...current,
    ...total,
    slots: current.slots.map((slot, index) =>
      slot.rows && indexes.includes(index) ? takeFresh(slot, fresh, rowId) : slot,
    ),
  });
  return { put, news: { added: added.size, hasMoved } };
}

/** Lists the ids of the rows in a range. */
function listRange<Row>(
  { slots }: Pages<Row>,
  { first, last, active }: Range,
  rowId: (row: Row) => string,
): Set<string | undefined> {
  const { idAt } = flattenPages(slots, rowId);
  const ids = new Set([idAt(active)]);
  for (let index = first; index <= last; index++) ids.add(idAt(index));
  return ids;
}

/** Finds the ids of new rows, up to the last row that the slot still has: later rows belong to the next slot. */
function findAdded<Row>(
  { ids }: Slot<Row>,
  { rows }: GridPage<Row>,
  options: { rowId: (row: Row) => string; slots: readonly Slot<Row>[]; isLast: boolean },
): string[] {
  const own = new Set(ids);
  const isOwn = (row: Row) => own.has(options.rowId(row));
  const end = options.isLast ? rows.length : rows.findLastIndex(isOwn) + 1;
  const others = rows.slice(0, end).map(options.rowId);
  const added = new Set(others.filter((id) => !own.has(id)));
  // Mostly there are no new rows. Then do not walk all ids of a long list.
  if (added.size > 0)
    for (const slot of options.slots)
      for (const id of slot.ids) if (id !== undefined) added.delete(id);
  return [...added];
}

function takeFresh<Row>(
  slot: Slot<Row>,
  fresh: ReadonlyMap<string, Row | undefined>,
  rowId: (row: Row) => string,
): Slot<Row> {
  const rows = (slot.rows ?? []).flatMap((row) => {
    const id = rowId(row);
    const now = fresh.has(id) ? fresh.get(id) : row;
    return now === undefined ? [] : [now];
  });
  return { ...slot, rows, ids: rows.map(rowId), isStale: false };
}
