import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { isTyping } from '../parts/toast.tsx';

const PLACES: Record<string, string> = {
  h: '/',
  c: '/contacts',
  p: '/pipeline',
  s: '/stock',
  i: '/imports',
  d: '/duplicates',
};
/** The second key of `G H` must come within this time. */
const SECOND_KEY_MS = 1_500;
const OFF_NAME = 'offplan-single-keys-off';

/** Whether the shortcuts of a single key are on. People who speak to the computer switch them off in their profile. */
export const areSingleKeysOn = (): boolean => localStorage.getItem(OFF_NAME) === null;

export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF_NAME);
  else localStorage.setItem(OFF_NAME, '');
}

/** Whether a key press is a shortcut: no text has the focus, no dialog is open, and no modifier is held. */
export function isShortcut(event: KeyboardEvent): boolean {
  const isModified = event.ctrlKey || event.metaKey || event.altKey;
  return (
    !isModified &&
    !event.defaultPrevented &&
    areSingleKeysOn() &&
    !isTyping(event.target) &&
    document.querySelector('dialog[open], [role=dialog]') === null
  );
}

/** The shortcuts that hold on each page: `G` and a letter goes to a page, `/` goes to the search of the page. */
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
    // Before the shortcuts of the page: `G S` goes to Stock, and does not open the menu of `S`.
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [navigate]);
}

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLElement>('#page input[type=search]');
  if (field === null) return;
  event.preventDefault();
  field.focus();
}
