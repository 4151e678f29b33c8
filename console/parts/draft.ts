import { useCallback, useState } from 'react';
import { useSession } from '../session/session.tsx';

/**
 * The text of a form that is not sent yet. It stays in the tab's storage under the person and the subject, so that a reload,
 * an ended session and a new version of the console keep it. `clear` when it has been sent.
 */
export function useDraft(subject: string): [string, (text: string) => void, () => void] {
  const { userId } = useSession();
  const name = nameDraft(userId, subject);
  const [text, setText] = useState(() => sessionStorage.getItem(name) ?? '');
  const write = useCallback(
    (next: string): void => {
      setText(next);
      if (next === '') sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, next);
    },
    [name],
  );
  return [text, write, useCallback(() => write(''), [write])];
}

const nameDraft = (userId: string, subject: string): string => `offplan-draft:${userId}:${subject}`;

/** Stores a draft before its form is there. */
export function writeDraft(userId: string, subject: string, text: string): void {
  sessionStorage.setItem(nameDraft(userId, subject), text);
}
