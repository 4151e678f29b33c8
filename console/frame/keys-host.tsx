import { lazy, Suspense, useEffect, useState } from 'react';
import { isShortcut } from './shortcuts.ts';

const KeysList = lazy(() => import('./keys-list.tsx'));

/** Shows the list of shortcuts when the person presses `?`. */
export function KeysHost() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== '?' || !isShortcut(event)) return;
      event.preventDefault();
      setOpen(true);
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  if (!isOpen) return null;
  return (
    <Suspense>
      <KeysList onClose={() => setOpen(false)} />
    </Suspense>
  );
}
