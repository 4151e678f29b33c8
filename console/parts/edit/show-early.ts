import { matchQuery, type QueryClient, type QueryFilters } from '@tanstack/react-query';

/**
 * Shows a change before the service has stored it. It calls `show` at once, and again after each refetch of these queries, whose
 * answer may have been read before the change. Returns the function that ends this.
 */
export async function showEarly(
  queries: QueryClient,
  filters: QueryFilters,
  show: () => void,
): Promise<() => void> {
  await queries.cancelQueries(filters);
  show();
  return queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || !matchQuery(filters, event.query)) return;
    // `manual` marks what a page has put into the cache itself, as `show` does.
    if (event.action.type === 'success' && !event.action.manual) show();
  });
}
