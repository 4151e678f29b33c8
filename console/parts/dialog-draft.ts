import { useEffect } from 'react';
import { useDraft } from './draft.ts';

/** Does as `useDraft` for a dialog: the draft survives a reload, and is dropped when the dialog is closed. */
export function useDialogDraft(subject: string): [string, (text: string) => void] {
  const [text, write, clear] = useDraft(subject);
  useEffect(() => clear, [clear]);
  return [text, write];
}
