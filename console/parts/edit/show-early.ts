import { matchQuery, type QueryClient, type QueryFilters } from '@tanstack/react-query';
import { noteSave } from '../message/toast-store.ts';

/**
 * Shows a change before the service has stored it. It calls `show` at once, and again after each refetch of these queries, whose
 * answer may have been read before the change. Returns the function to call once the change is saved or refused, right before its
 * toast.
 */
export async function showEarly(
  queries: QueryClient,
  filters: QueryFilters,
  show: () => void,
): Promise<() => void> {
  const endSave = noteSave();
  await queries.cancelQueries(filters);
  show();
  const stop = queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || !matchQuery(filters, event.query)) return;
    // `manual` marks what a page has put into the cache itself, as `show` does.
    if (event.action.type === 'success' && !event.action.manual) show();
  });
  return () => {
    stop();
    endSave();
  };
}
