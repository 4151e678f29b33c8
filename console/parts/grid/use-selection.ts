import { useEffect, useState } from 'react';
import { tabStorage } from '../browser/tab-storage.ts';
import { NOTHING_SELECTED } from './selection.ts';
import type { Selection } from './types.ts';

const KEY = 'offplan-selection';

/**
 * The selection of a person in a list. Another order and a reload of the page keep it; another filter clears it, because the rows
 * may not match the new filter.
 */
export function useSelection(
  userId: string,
  filter: object,
): [Selection, (selection: Selection) => void] {
  const list = `${userId} ${location.pathname} ${JSON.stringify(filter)}`;
  const [state, setState] = useState(() => ({ list, selection: readStored(list) }));
  const selection = state.list === list ? state.selection : NOTHING_SELECTED;
  useEffect(() => tabStorage.remove(KEY), []);
  useEffect(() => {
    const { all, ids } = selection;
    if (!all && ids.size === 0) return undefined;
    const store = () => tabStorage.write(KEY, JSON.stringify({ list, all, ids: [...ids] }));
    addEventListener('pagehide', store);
    return () => removeEventListener('pagehide', store);
  }, [list, selection]);
  return [selection, (next) => setState({ list, selection: next })];
}

interface Stored {
  list: string;
  all: boolean;
  ids: string[];
}

/** Reads the selection that the page stored when it was unloaded, if it is of this list. */
function readStored(list: string): Selection {
  const stored = JSON.parse(tabStorage.read(KEY) ?? 'null') as Stored | null;
  return stored?.list === list ? { all: stored.all, ids: new Set(stored.ids) } : NOTHING_SELECTED;
}
