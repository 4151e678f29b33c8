import { useMemo } from 'react';
import { useSession } from '../session/session.tsx';
import { useAddress } from '../parts/browser/address.ts';
import { forgetPlace } from '../parts/grid/index.ts';
import { readFilter, readSort, type FilterQuery } from './query.ts';

export interface ContactList {
  filter: FilterQuery;
  sort: string;
  /** The key under which the browser stores the scroll position of this list. */
  place: string;
  viewId: string | null;
  /** Changes the address. With another filter or order, the list begins at its first row. */
  change: (changes: Record<string, string | null>, options?: { replace?: boolean }) => void;
}

/** Reads the list from the address: its filter, order and view. */
export function useList(): ContactList {
  const { me } = useSession();
  const { query: address, change } = useAddress();
  const text = address.toString();
  return useMemo(() => {
    const read = (query: URLSearchParams) => {
      const filter = readFilter(query);
      const sort = readSort(query);
      const place = `contacts:${me.account.id}:${JSON.stringify([filter, sort])}`;
      return { filter, sort, place };
    };
    return {
      ...read(new URLSearchParams(text)),
      viewId: new URLSearchParams(text).get('view'),
      change: (changes, options) => {
        const next = new URLSearchParams(text);
        for (const [name, value] of Object.entries(changes))
          if (value === null) next.delete(name);
          else next.set(name, value);
        forgetPlace(read(next).place);
        change(changes, options);
      },
    };
  }, [text, change, me.account.id]);
}
