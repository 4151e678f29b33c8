import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { isShortcut } from '../parts/keyboard/single-keys.ts';
import type { NavigationItem } from './navigation.tsx';
import { openPalette } from './palette-host.tsx';

/** The second key of a pair such as `G H` must follow within this time. */
const SECOND_KEY_MS = 1_500;

/** Listens for the shortcuts of all pages: `G` and a letter open a page, `/` focuses the search field or opens the palette. */
export function useShortcuts(pages: readonly NavigationItem[]): void {
  const [, navigate] = useLocation();
  const open = useEffectEvent((key: string): boolean => {
    const page = pages.find((each) => each.key === key);
    if (page !== undefined) navigate(page.to);
    return page !== undefined;
  });
  useEffect(() => {
    let goAtMs = -Infinity;
    function onKeyDown(event: KeyboardEvent): void {
      if (!isShortcut(event)) return;
      const key = event.key.toLowerCase();
      if (event.timeStamp - goAtMs < SECOND_KEY_MS && open(key)) {
        event.preventDefault();
        goAtMs = -Infinity;
      } else if (key === 'g') goAtMs = event.timeStamp;
      else if (key === '/') focusSearch(event);
    }
    // Listen before the page does, so that `G S` opens Stock and the page does not handle `S`.
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}

/** Focuses the search field of the page. On a page without one, it opens the palette. */
function focusSearch(event: KeyboardEvent): void {
  event.preventDefault();
  const field = document.querySelector<HTMLElement>('#page input[type=search]');
  if (field === null) openPalette();
  else field.focus();
}
