import { useEffect } from 'react';
import { useSession } from '../../session/session.tsx';
import { dropDraft, useDraft } from './draft.ts';

/** Does as `useDraft` for a dialog: the draft survives a reload, and is dropped when the dialog is closed. */
export function useDialogDraft(subject: string): [string, (text: string) => void] {
  const { userId } = useSession();
  const [text, write] = useDraft(subject);
  useEffect(() => () => dropDraft(userId, subject), [userId, subject]);
  return [text, write];
}
