import { useCallback, useSyncExternalStore } from 'react';
import { whenSent } from '../../session/questions.ts';
import { useSession } from '../../session/session.tsx';
import { DRAFT_PREFIX, tabStorage } from '../browser/tab-storage.ts';

const listeners = new Set<() => void>();

/**
 * Stores the text of an unsent form in `sessionStorage`, by person and subject, so that it survives a reload, an ended session
 * and a new version of the console. Returns the text, a function that writes it, and one that clears it after sending. Both also
 * work when the form is no longer shown: a save may fail after the person has left the page.
 */
export function useDraft(subject: string): [string, (text: string) => void, () => void] {
  const name = nameDraft(useSession().userId, subject);
  const text = useSyncExternalStore(subscribe, () => read(name));
  const write = useCallback((next: string): void => store(name, next), [name]);
  return [text, write, useCallback(() => write(''), [write])];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const read = (name: string): string => tabStorage.read(name) ?? '';

function store(name: string, text: string): void {
  if (text === '') tabStorage.remove(name);
  else tabStorage.write(name, text);
  for (const listener of listeners) listener();
}

const nameDraft = (userId: string, subject: string): string =>
  `${DRAFT_PREFIX}${userId}:${subject}`;

/** Reads a draft outside of its form; '' when there is none. */
export const readDraft = (userId: string, subject: string): string =>
  read(nameDraft(userId, subject));

/** Stores a draft before its form is rendered. */
export const writeDraft = (userId: string, subject: string, text: string): void =>
  store(nameDraft(userId, subject), text);

/**
 * Drops the draft of a dialog that is closed. A person may close it while its form is being sent: then the draft is dropped when
 * that has worked and nothing was typed since, and is there again after a failure.
 */
export function dropDraft(userId: string, subject: string): void {
  const name = nameDraft(userId, subject);
  const text = read(name);
  whenSent(() => {
    if (read(name) === text) store(name, '');
  });
}
