import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/** Reads and changes the query of the address. It holds filters, sort, view, tab and drawer, so that Back, a reload and a link keep them. */
export function useAddress() {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  /** Changes parameters of the query. Null removes a parameter. It adds an entry to the history unless `replace` is set. */
  const change = useCallback(
    (changes: Record<string, string | null>, { replace = false } = {}): void => {
      // A late call, as after a pause in typing, must not take back what the person has chosen since.
      const next = new URLSearchParams(location.search);
      for (const [name, value] of Object.entries(changes))
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
      navigate(next.size > 0 ? `${path}?${next.toString()}` : path, { replace });
    },
    [navigate, path],
  );
  return { path, query, change, navigate };
}
