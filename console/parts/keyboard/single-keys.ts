import { isTyping } from '../message/toast.tsx';

const OFF_NAME = 'offplan-single-keys-off';

/** Returns whether single-key shortcuts are on. People who use speech input switch them off in their profile. */
export const areSingleKeysOn = (): boolean => localStorage.getItem(OFF_NAME) === null;

/** Stores the choice in this browser. */
export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF_NAME);
  else localStorage.setItem(OFF_NAME, '');
}

/** Returns whether a key press can be a shortcut: no text field has the focus, no dialog is open, and no modifier is pressed. */
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
