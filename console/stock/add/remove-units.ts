import type { QueryClient } from '@tanstack/react-query';
import { api, ifMatch, type Unit } from '../../api.ts';
import { closeToast, showToast } from '../../parts/message/toast-store.ts';
import { showOwnChange } from '../unit-data.ts';
import { texts } from './texts.ts';

/** Reads the units and their projects again. */
export function showUnits(queries: QueryClient): void {
  showOwnChange(queries);
  void queries.invalidateQueries({ queryKey: ['project'] });
}

const REQUESTS_AT_ONCE = 4;

/** Deletes the units that were added, except those that somebody has changed or linked since. */
export async function removeUnits(queries: QueryClient, added: readonly Unit[]): Promise<void> {
  const progress = showToast({ text: texts.removing(added.length), lastsMs: Infinity });
  // The requests share the iterator, so that each takes the next unit.
  const left = added.values();
  let removed = 0;
  async function removeNext(): Promise<void> {
    for (const { id, etag } of left) {
      const params = { path: { unitId: id }, header: ifMatch(etag) };
      await api.DELETE('/stock/units/{unitId}', { params }).then(
        () => (removed += 1),
        () => undefined,
      );
    }
  }
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, removeNext));
  closeToast(progress);
  showToast({ text: texts.removed(removed, added.length) });
  showUnits(queries);
}
