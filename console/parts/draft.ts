import { useCallback, useState } from 'react';
import { useSession } from '../session/session.tsx';
import { DRAFT_PREFIX, tabStorage } from './tab-storage.ts';

/**
 * Stores the text of an unsent form in `sessionStorage`, by person and subject, so that it survives a reload, an ended session
 * and a new version of the console. Returns the text, a function that writes it, and one that clears it after sending.
 */
export function useDraft(subject: string): [string, (text: string) => void, () => void] {
  const { userId } = useSession();
  const name = nameDraft(userId, subject);
  const [text, setText] = useState(() => tabStorage.read(name) ?? '');
  const write = useCallback(
    (next: string): void => {
      setText(next);
      if (next === '') tabStorage.remove(name);
      else tabStorage.write(name, next);
    },
    [name],
  );
  return [text, write, useCallback(() => write(''), [write])];
}

const nameDraft = (userId: string, subject: string): string =>
  `${DRAFT_PREFIX}${userId}:${subject}`;

/** Stores a draft before its form is rendered. */
export function writeDraft(userId: string, subject: string, text: string): void {
  tabStorage.write(nameDraft(userId, subject), text);
}
