import type { Pages } from './pages.ts';

/** Where the pages of a list begin and how long they are, without their rows. */
interface Skeleton {
  filter: string;
  slots: [cursor: string | undefined | null, size: number][];
  next: string | null;
  totalCount?: number | undefined;
  isTotalExact?: boolean | undefined;
}

const PREFIX = 'offplan-pages:';
/** As many as a tab can store: 1,000,000 contacts have 10,000. */
const MOST_SLOTS = 15_000;

/** Keeps the cursors of a list, so that a reload can go back to any row without reading all rows before it. */
export function saveSkeleton<Row>(place: string, filter: string, pages: Pages<Row>): void {
  if (pages.slots.length > MOST_SLOTS) return;
  const { next, totalCount, isTotalExact } = pages;
  const slots = pages.slots.map(({ cursor, ids }): [string | undefined, number] => [
    cursor,
    ids.length,
  ]);
  const skeleton: Skeleton = { filter, slots, next, totalCount, isTotalExact };
  try {
    sessionStorage.setItem(PREFIX + place, JSON.stringify(skeleton));
  } catch {
    // Without storage a reload begins at the first row.
  }
}

/** Gives the pages of a list as bars, when a list of more than one page was left in this tab. */
export function readSkeleton<Row>(place: string, filter: string): Pages<Row> | undefined {
  const skeleton = parseSkeleton(place);
  if (skeleton?.filter !== filter || skeleton.slots.length < 2) return undefined;
  const slots = skeleton.slots.map(([cursor, size]) => ({
    cursor: cursor ?? undefined,
    ids: Array.from<undefined>({ length: size }),
    rows: undefined,
    isStale: false,
  }));
  const { next, totalCount, isTotalExact } = skeleton;
  return { slots, next, totalCount, isTotalExact, generation: 0 };
}

function parseSkeleton(place: string): Skeleton | undefined {
  try {
    const text = sessionStorage.getItem(PREFIX + place);
    return text === null ? undefined : (JSON.parse(text) as Skeleton);
  } catch {
    return undefined;
  }
}
