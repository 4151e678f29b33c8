import { tabStorage } from '../browser/tab-storage.ts';
import type { Pages } from './pages.ts';

/** The cursors and lengths of a list's pages, without the rows. */
interface Skeleton {
  filter: string;
  slots: [cursor: string | undefined | null, size: number][];
  next: string | null;
  totalCount?: number | undefined;
  isTotalExact?: boolean | undefined;
}

const PREFIX = 'offplan-pages:';
/** The most slots that fit into the storage of a tab. A list of 1,000,000 contacts has 10,000. */
const MOST_SLOTS = 15_000;

/** Stores the cursors of a list, so that it can return to any row after a reload without reading all rows before it. */
export function saveSkeleton<Row>(place: string, filter: string, pages: Pages<Row>): void {
  if (pages.slots.length > MOST_SLOTS) return;
  const { next, totalCount, isTotalExact } = pages;
  const slots = pages.slots.map(({ cursor, ids }): [string | undefined, number] => [
    cursor,
    ids.length,
  ]);
  const skeleton: Skeleton = { filter, slots, next, totalCount, isTotalExact };
  tabStorage.write(PREFIX + place, JSON.stringify(skeleton));
}

/** Restores the pages of a list without their rows; undefined unless this tab stored more than one page for this filter. */
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
    const text = tabStorage.read(PREFIX + place);
    return text === null ? undefined : (JSON.parse(text) as Skeleton);
  } catch {
    return undefined;
  }
}
