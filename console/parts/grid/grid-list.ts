import type { QueryClient } from '@tanstack/react-query';
import {
  dropFarRows,
  makeSlot,
  slotsBetween,
  type GridPage,
  type Pages,
  type Range,
} from './pages.ts';
import { readSkeleton, saveSkeleton } from './skeleton.ts';

export interface PageRequest {
  cursor: string | undefined;
  limit: number;
  /** Whether to ask for the number of all rows. */
  count: boolean;
}

export interface ListOptions<Row> {
  pageSize: number;
  rowId: (row: Row) => string;
  read: (page: PageRequest) => Promise<GridPage<Row>>;
  /** Reads one row that is on the screen and no longer in its page, so that it can stay there; undefined when it was deleted. */
  readRow?: (id: string) => Promise<Row | undefined>;
}

/** The changes of the list that it does not show yet. It shows them when the person asks. */
export interface GridNews {
  /** The number of new rows. */
  added: number;
  /** Whether rows have moved, or no longer match the filter. */
  hasMoved: boolean;
}

export const NO_NEWS: GridNews = { added: 0, hasMoved: false };
/** Loads the code that reads a page for the second time: the first rows do not need it. */
const loadRefresh = () => import('./refresh.ts');

const MOST_LOADED_SLOTS = 60;
const KEPT_SLOTS = 25;

const isEmpty = ({ slots }: Pages<unknown>): boolean => slots.every(({ ids }) => ids.length === 0);

interface ListName {
  noun: string;
  filter: string;
  place: string;
}

/** A list in the query cache. Events never invalidate its rows, so that no row moves; they invalidate its news, whose query refreshes the rows. */
export class GridList<Row> {
  readonly rowsKey: readonly unknown[];
  readonly newsKey: readonly unknown[];
  private readonly client: QueryClient;
  private readonly filter: string;
  private readonly place: string;
  private readonly inFlight = new Set<number | 'next'>();
  private options!: ListOptions<Row>;
  /** Settles when the last reload has put its rows into the list. */
  private reloaded: Promise<void> = Promise.resolve();
  private starts: readonly number[] = [0];
  /** The range of rows on the screen; undefined until the grid reports it. */
  private range: Range | undefined;

  constructor(client: QueryClient, { noun, filter, place }: ListName) {
    this.client = client;
    this.filter = filter;
    this.place = place;
    this.rowsKey = ['rows', noun, filter];
    this.newsKey = [noun, 'grid', filter];
  }

  setOptions(options: ListOptions<Row>): void {
    this.options = options;
  }

  /** Sets the first row of each slot, and loads the slots on the screen and near it. */
  setStarts(starts: readonly number[]): void {
    this.starts = starts;
    this.loadVisible();
  }

  private loadVisible(): void {
    if (this.range) this.onRange(this.range.first, this.range.last, this.range.active);
  }

  private get pages(): Pages<Row> | undefined {
    return this.client.getQueryData<Pages<Row>>(this.rowsKey);
  }

  private change(change: (pages: Pages<Row>) => Pages<Row>): void {
    this.client.setQueryData<Pages<Row>>(this.rowsKey, (pages) => pages && change(pages));
  }

  private read(cursor: string | undefined, count = false): Promise<GridPage<Row>> {
    return this.options.read({ cursor, limit: this.options.pageSize, count });
  }

  async readFirst(): Promise<Pages<Row>> {
    // Keep loaded rows: `refresh` updates them, and moves none.
    return this.pages ?? readSkeleton<Row>(this.place, this.filter) ?? (await this.readAnew(0));
  }

  private async readAnew(generation: number): Promise<Pages<Row>> {
    const { rows, next, totalCount, isTotalExact } = await this.read(undefined, true);
    const slots = [makeSlot(undefined, rows, this.options.rowId)];
    return { slots, next, totalCount, isTotalExact, generation };
  }

  async readNext(): Promise<void> {
    const cursor = this.pages?.next;
    if (cursor == null || this.inFlight.has('next')) return;
    this.inFlight.add('next');
    try {
      const { rows, next } = await this.read(cursor);
      this.change((pages) =>
        pages.next === cursor
          ? { ...pages, slots: [...pages.slots, makeSlot(cursor, rows, this.options.rowId)], next }
          : pages,
      );
    } finally {
      this.inFlight.delete('next');
    }
  }

  readonly onRange = (first: number, last: number, active: number): void => {
    this.range = { first, last, active };
    const pages = this.pages;
    if (!pages) return;
    const { pageSize } = this.options;
    for (const index of slotsBetween(this.starts, first - pageSize, last + pageSize))
      this.loadSlot(pages, index);
    const near = this.visibleSlots();
    const kept = dropFarRows(pages, near, { most: MOST_LOADED_SLOTS, distance: KEPT_SLOTS });
    if (kept !== pages) this.change(() => kept);
  };

  private visibleSlots(): number[] {
    if (!this.range) return [];
    const { first, last, active } = this.range;
    return [
      ...new Set([
        ...slotsBetween(this.starts, first, last),
        ...slotsBetween(this.starts, active, active),
      ]),
    ];
  }

  /** Loads the rows of a slot that has none or stale ones. After a failure, the next scroll tries again. */
  private loadSlot(pages: Pages<Row>, index: number): void {
    const slot = pages.slots[index];
    if (!slot || (slot.rows && !slot.isStale) || this.inFlight.has(index)) return;
    this.inFlight.add(index);
    const load = slot.rows
      ? this.refreshSlots([index]).then((news) => this.addNews(news))
      : this.fillSlot(pages, index).then((put) =>
          this.change((current) =>
            current.slots[index]?.cursor === slot.cursor ? put(current) : current,
          ),
        );
    load.catch(() => undefined).finally(() => this.inFlight.delete(index));
  }

  private async fillSlot(pages: Pages<Row>, index: number) {
    const { fillSlot } = await loadRefresh();
    return await fillSlot(pages, index, (cursor) => this.read(cursor), this.options.rowId);
  }

  private addNews({ hasMoved }: GridNews): void {
    if (!hasMoved) return;
    this.client.setQueryData<GridNews>(this.newsKey, (news = NO_NEWS) => ({ ...news, hasMoved }));
  }

  /** Marks all rows as stale, and reads the slots on the screen again, and the first one, where new rows appear. Returns the news. */
  async refresh(): Promise<GridNews> {
    await this.reloaded;
    const before = this.pages;
    if (!before) return NO_NEWS;
    // New rows of an empty list move none.
    if (isEmpty(before)) {
      await this.beginAnew();
      return NO_NEWS;
    }
    const visible = this.visibleSlots();
    this.change((pages) => ({
      ...pages,
      slots: pages.slots.map((slot) => (slot.rows ? { ...slot, isStale: true } : slot)),
    }));
    return await this.refreshSlots([...new Set([0, ...visible])]);
  }

  private async refreshSlots(indexes: readonly number[]): Promise<GridNews> {
    const pages = this.pages;
    if (!pages) return NO_NEWS;
    const { options } = this;
    const { refreshSlots } = await loadRefresh();
    const { put, news } = await refreshSlots(pages, indexes, {
      rowId: options.rowId,
      read: (cursor, count) => this.read(cursor, count),
      readRow: options.readRow,
      range: this.range,
      pageSize: options.pageSize,
    });
    this.change(put);
    return news;
  }

  /** Shows the news. With new rows, the list begins again at its first row; otherwise it reloads the rows around the scroll position. */
  readonly showNews = (): void => {
    const { added } = this.client.getQueryData<GridNews>(this.newsKey) ?? NO_NEWS;
    const shown = added === 0 ? this.readAround() : this.beginAnew();
    this.reloaded = shown.then(
      () => this.forgetNews(),
      async (error: unknown) => (await loadRefresh()).sayProblem(error),
    );
  };

  private forgetNews(): void {
    this.client.setQueryData<GridNews>(this.newsKey, NO_NEWS);
  }

  private async beginAnew(): Promise<void> {
    const pages = await this.readAnew((this.pages?.generation ?? 0) + 1);
    this.change(() => pages);
  }

  /** Reads the rows around the scroll position anew. The old rows stay on the screen until the new ones are there. */
  readonly reload = (): void => {
    this.forgetNews();
    this.reloaded = this.readAround().catch(() => undefined);
  };

  private async readAround(): Promise<void> {
    const before = this.pages;
    if (!before) return;
    if (isEmpty(before)) return this.beginAnew();
    const { readSlotsAnew } = await loadRefresh();
    const read = (cursor: string | undefined) => this.read(cursor);
    const put = await readSlotsAnew(before, this.visibleSlots(), read, this.options.rowId);
    this.change((pages) => (pages.generation === before.generation ? put(pages) : pages));
  }

  readonly save = (): void => {
    if (this.pages) saveSkeleton(this.place, this.filter, this.pages);
  };
}
