import { useEffect, useEffectEvent } from 'react';
import { isShortcut } from './single-keys.ts';

/** Calls `action` when the person presses a single key, unless a text field has the focus or a dialog is open. */
export function useShortcut(key: string, action: () => void, isOn = true): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== key || event.shiftKey || !isShortcut(event)) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => press(event);
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isOn]);
}
