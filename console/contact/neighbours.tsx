import { useQuery, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { tabStorage } from '../parts/browser/tab-storage.ts';
import { Button } from '../parts/button/button.tsx';
import { findShownList } from '../parts/grid/shown-list.ts';
import { useShortcut } from '../parts/keyboard/shortcut.ts';
import { showToast } from '../parts/message/toast.tsx';
import { formatNumber } from '../parts/text/format.ts';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { useSession } from '../session/session.tsx';
import { contactKey, readContact } from './queries.ts';
import { texts } from './texts.ts';
import './neighbours.css';

/** A list in the cache of the grid: the ids by slot, the cursor of the next page, and the length of the whole list. */
interface ListPages {
  slots: readonly { ids: readonly (string | undefined)[] }[];
  next: string | null;
  totalCount: number | undefined;
  isTotalExact: boolean | undefined;
}

/** A part of a list around the contact, as the tab stores it: the list itself is gone after a reload. */
interface StoredList {
  userId: string;
  ids: string[];
  /** The place of the first of these ids in the list. */
  start: number;
  /** The length of the list, as the page shows it. */
  count: string;
}

const STORED = 'offplan-neighbours';
/** How many contacts before and after the open one are stored. */
const STORED_AROUND = 500;

/** The buttons to the previous and the next contact of the list that the person came from. */
export function Neighbours({ id }: { id: string }) {
  const [, navigate] = useLocation();
  const { before, after, place, readMore } = useNeighbours(id);
  const go = (to: string | undefined): void => {
    if (to !== undefined) navigate(`/contacts/${to}`);
  };
  async function goNext(): Promise<void> {
    try {
      go(after ?? (await readMore?.()));
    } catch (error) {
      showToast({ text: describeProblem(error), look: 'error' });
    }
  }
  useShortcut('j', () => void goNext());
  useShortcut('k', () => go(before));
  if (place === undefined) return null;
  return (
    <div className="neighbours screen-only">
      <span>{place}</span>
      <Button
        look="bare"
        icon="left"
        isIconOnly
        aria-keyshortcuts="k"
        isBusy={before === undefined}
        onClick={() => go(before)}
      >
        {texts.previous}
      </Button>
      <Button
        look="bare"
        icon="right"
        isIconOnly
        aria-keyshortcuts="j"
        isBusy={after === undefined && readMore === undefined}
        onClick={() => void goNext()}
      >
        {texts.next}
      </Button>
    </div>
  );
}

function useNeighbours(id: string) {
  const queries = useQueryClient();
  const { userId } = useSession();
  // Find the list once: a refresh must not switch to another one.
  const [key] = useState(() => findList(queries, id) ?? ['rows', 'contact', 'none']);
  // An observer keeps the list in the cache while the person walks through it.
  const { data } = useQuery<ListPages>({ queryKey: key, enabled: false });
  const [stored] = useState(() => readStored(userId));
  const count = data === undefined ? stored.count : describeCount(data);
  const ids = data === undefined ? stored.ids : listIds(data);
  const start = data === undefined ? stored.start : 0;
  const index = ids.indexOf(id);
  const before = index > 0 ? ids[index - 1] : undefined;
  const after = index === -1 ? undefined : ids[index + 1];
  const isAtEnd = index !== -1 && after === undefined && data?.next != null;
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    const shown = findShownList('contact');
    if (isAtEnd && shown?.key === key) shown.readNext().catch(() => setFailed(true));
  }, [isAtEnd, key]);

  /** Loads more contacts of the list after a failure, and returns the next one. */
  async function readMore(): Promise<string | undefined> {
    setFailed(false);
    try {
      await findShownList('contact')?.readNext();
    } catch (error) {
      setFailed(true);
      throw error;
    }
    const read = listIds(queries.getQueryData(key));
    return read[read.indexOf(id) + 1];
  }

  useEffect(() => {
    for (const next of [after, before])
      if (next !== undefined)
        void queries.prefetchQuery({
          queryKey: contactKey(next),
          queryFn: ({ signal }) => readContact(next, signal),
        });
  }, [queries, before, after]);

  useEffect(() => {
    const store = (): void => {
      const from = Math.max(index - STORED_AROUND, 0);
      const around = ids.slice(from, index + STORED_AROUND + 1);
      const list: StoredList = { userId, ids: around, start: start + from, count };
      if (index === -1) tabStorage.remove(STORED);
      else tabStorage.write(STORED, JSON.stringify(list));
    };
    addEventListener('pagehide', store);
    return () => removeEventListener('pagehide', store);
  });

  return {
    before,
    after,
    readMore: hasFailed ? readMore : undefined,
    place: index === -1 ? undefined : texts.place(start + index + 1, count),
  };
}

/** Reads the list that the page stored when it was unloaded, if it is of this person. */
function readStored(userId: string): StoredList {
  const stored = JSON.parse(tabStorage.read(STORED) ?? 'null') as StoredList | null;
  return stored?.userId === userId ? stored : { userId, ids: [], start: 0, count: '' };
}

/** Describes the length of the list. The rows that it has loaded are all of them when there is no next page. */
function describeCount({ slots, next, totalCount = 0, isTotalExact }: ListPages): string {
  const loaded = slots.reduce((sum, { ids }) => sum + ids.length, 0);
  const count = formatNumber(next === null ? loaded : Math.max(loaded, totalCount));
  return next === null || isTotalExact === true ? count : texts.moreThan(count);
}

/** Finds a list with this contact: the list shown last, or else the one that was read last. */
function findList(queries: QueryClient, id: string): QueryKey | undefined {
  const hasContact = (pages: unknown): boolean =>
    listIds(pages as ListPages | undefined).includes(id);
  const shown = findShownList('contact');
  if (shown !== undefined && hasContact(queries.getQueryData(shown.key))) return shown.key;
  return queries
    .getQueryCache()
    .findAll({ queryKey: ['rows', 'contact'] })
    .filter(({ state }) => hasContact(state.data))
    .toSorted((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)
    .at(-1)?.queryKey;
}

const listIds = (pages: ListPages | undefined): string[] =>
  (pages?.slots ?? []).flatMap(({ ids }) => ids).filter((id) => id !== undefined);
