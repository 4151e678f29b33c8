import { useEffect, useState } from 'react';
import { isShortcut } from '../parts/keyboard/single-keys.ts';
import { lazyDialog } from '../parts/page/lazy-part.tsx';

const KeysList = lazyDialog(() => import('./keys-list.tsx'));

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
  return isOpen && <KeysList onClose={() => setOpen(false)} />;
}
