import { useEffect, useState } from 'react';
import { lazyDialog } from '../parts/page/lazy-part.tsx';

const OPEN = 'offplan:palette';

/** Opens the palette from anywhere. */
export function openPalette(): void {
  dispatchEvent(new Event(OPEN));
}

export const Palette = lazyDialog(() => import('../palette/index.ts'));

/** Opens the palette by its button or by Ctrl K. */
export function PaletteHost() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (): void => setOpen(true);
    function onKeyDown(event: KeyboardEvent): void {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      open();
    }
    addEventListener(OPEN, open);
    addEventListener('keydown', onKeyDown);
    return () => {
      removeEventListener(OPEN, open);
      removeEventListener('keydown', onKeyDown);
    };
  }, []);
  return isOpen && <Palette onClose={() => setOpen(false)} />;
}
