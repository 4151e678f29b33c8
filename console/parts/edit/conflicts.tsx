import { useSyncExternalStore } from 'react';
import { DialogError, lazyPart } from '../page/lazy-part.tsx';
import { conflicts, type OpenConflict } from './conflict.ts';

const ConflictDialog = lazyPart(() => import('./conflict-dialog.tsx'), ConflictError);

/** Shows the dialog of the open conflict, whichever edit caused it. It loads the dialog's code only then. */
export function Conflicts() {
  const conflict = useSyncExternalStore(conflicts.subscribe, conflicts.read);
  if (conflict === undefined) return null;
  return <ConflictDialog {...conflict} />;
}

function ConflictError({ answer }: OpenConflict) {
  return <DialogError onClose={() => answer('back')} />;
}
