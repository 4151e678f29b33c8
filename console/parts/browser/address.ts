import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

type Changes = Record<string, string | null>;

/** Whether the browser goes back from the entry of a drawer. It does so some time after the call. */
let isGoingBack = false;

/** Reads and changes the query of the address. It holds filters, sort, view, tab and drawer, so that Back, a reload and a link keep them. */
export function useAddress() {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  /**
   * Changes parameters of the query. Null removes a parameter. It adds an entry to the history unless `replace` is set. The entry of a
   * drawer has the state true, so that `close` goes back from it.
   */
  const change = useCallback(
    (changes: Changes, options?: { replace?: boolean; state?: unknown }): void => {
      // A late call, as after a pause in typing, must not take back what the person has chosen since.
      const next = new URLSearchParams(location.search);
      for (const [name, value] of Object.entries(changes))
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
      navigate(next.size > 0 ? `${path}?${next.toString()}` : path, options);
    },
    [navigate, path],
  );
  /** Closes a drawer: goes back to the entry before, or, when a link opened the drawer, removes its parameters. */
  function close(changes: Changes): void {
    // A second call before the browser has gone back must neither leave the page nor change the entry of the drawer.
    if (isGoingBack) return;
    if (!history.state) return change(changes, { replace: true });
    isGoingBack = true;
    addEventListener('popstate', () => (isGoingBack = false), { once: true });
    history.back();
  }
  return { path, query, change, close, navigate };
}
