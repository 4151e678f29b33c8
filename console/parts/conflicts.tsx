import { lazy, Suspense, useSyncExternalStore } from 'react';
import { conflicts } from './conflict.ts';

const ConflictDialog = lazy(() => import('./conflict-dialog.tsx'));

/** Shows the dialog of the open conflict, whichever edit caused it. It loads the dialog's code only then. */
export function Conflicts() {
  const conflict = useSyncExternalStore(conflicts.subscribe, conflicts.read);
  if (conflict === undefined) return null;
  return (
    <Suspense>
      <ConflictDialog {...conflict} />
    </Suspense>
  );
}
