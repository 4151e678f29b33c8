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
      const next = new URLSearchParams(search);
      for (const [name, value] of Object.entries(changes))
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
      const text = next.toString();
      navigate(text === '' ? path : `${path}?${text}`, { replace });
    },
    [navigate, path, search],
  );
  return { path, query, change, navigate };
}
