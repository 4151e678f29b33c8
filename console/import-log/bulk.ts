import { api } from '../api.ts';
import type { Selection } from '../parts/grid/index.ts';
import type { LogFilter } from './data.ts';

/** The most imports of one bulk action. For more, the person must narrow the filter. */
export const BULK_MAX_COUNT = 10_000;
const SLICE_MAX_COUNT = 200;

/** The counts of a bulk action. */
export interface BulkResult {
  accepted: number;
  refused: number;
  dismissed: number;
}

/** Finds the ids of a selection, the oldest first: a retry must keep the order in which the leads came in. */
async function findIds(
  { all, ids }: Selection,
  filter: LogFilter,
  signal: AbortSignal,
): Promise<string[]> {
  if (!all) return [...ids].toSorted();
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { ...filter, open: true, limit: 100, ...(cursor && { cursor }) };
    const { data } = await api.GET('/imports', { params: { query }, signal });
    found.push(...data.data.map(({ id }) => id).filter((id) => !ids.has(id)));
    cursor = data.pagination.nextCursor;
  }
  return found.toReversed();
}

/** Retries or dismisses the open imports of a selection, a slice at a time, until the end or a stop. */
export async function runBulk(
  action: 'retry' | 'dismiss',
  selection: Selection,
  filter: LogFilter,
  {
    signal,
    onProgress,
  }: { signal: AbortSignal; onProgress: (done: number, total: number) => void },
): Promise<BulkResult> {
  const ids = await findIds(selection, filter, signal);
  const result: BulkResult = { accepted: 0, refused: 0, dismissed: 0 };
  for (let at = 0; at < ids.length && !signal.aborted; at += SLICE_MAX_COUNT) {
    onProgress(at, ids.length);
    const body = { ids: ids.slice(at, at + SLICE_MAX_COUNT) };
    if (action === 'dismiss') {
      const { data } = await api.POST('/imports/dismiss', { body });
      result.dismissed += data.summary.dismissed;
    } else {
      const { summary } = (await api.POST('/imports/retry', { body })).data;
      result.accepted += summary.created + summary.merged;
      result.refused += summary.refused;
    }
  }
  return result;
}
