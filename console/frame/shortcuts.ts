import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { isShortcut } from '../parts/keyboard/single-keys.ts';
import { openPalette } from './palette-host.tsx';

const PLACES: Record<string, string> = {
  h: '/',
  c: '/contacts',
  p: '/pipeline',
  s: '/stock',
  i: '/imports',
  d: '/duplicates',
};
/** The second key of a pair such as `G H` must follow within this time. */
const SECOND_KEY_MS = 1_500;

/** Listens for the shortcuts of all pages: `G` and a letter open a page, `/` focuses the search field or opens the palette. */
export function useShortcuts(): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    let goAtMs = -Infinity;
    function onKeyDown(event: KeyboardEvent): void {
      if (!isShortcut(event)) return;
      const key = event.key.toLowerCase();
      const place = PLACES[key];
      if (place !== undefined && event.timeStamp - goAtMs < SECOND_KEY_MS) {
        event.preventDefault();
        goAtMs = -Infinity;
        navigate(place);
      } else if (key === 'g') goAtMs = event.timeStamp;
      else if (key === '/') focusSearch(event);
    }
    // Listen before the page does, so that `G S` opens Stock and the page does not handle `S`.
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [navigate]);
}

/** Focuses the search field of the page. On a page without one, it opens the palette. */
function focusSearch(event: KeyboardEvent): void {
  event.preventDefault();
  const field = document.querySelector<HTMLElement>('#page input[type=search]');
  if (field === null) openPalette();
  else field.focus();
}
