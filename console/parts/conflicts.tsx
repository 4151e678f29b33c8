import { lazy, Suspense, useSyncExternalStore } from 'react';
import { conflicts } from './conflict.ts';

const ConflictDialog = lazy(() => import('./conflict-dialog.tsx'));

/** Asks about a conflict, from wherever an edit was refused, and loads the dialog then. */
export function Conflicts() {
  const conflict = useSyncExternalStore(conflicts.subscribe, conflicts.read);
  if (conflict === undefined) return null;
  return (
    <Suspense>
      <ConflictDialog {...conflict} />
    </Suspense>
  );
}
