import type { Caller } from '../http/caller.ts';
import type { Answer } from './answers.ts';

const URLS_MAX = 100;

/** What one look-up of a key was answered with, by the URLs as they were sent. */
export interface Recent {
  get(caller: Caller, url: string): Answer | undefined;
  set(caller: Caller, url: string, answer: Answer): void;
}

/**
 * A caller is true for a moment, and so is what it was answered with: while pollers come with the same key and URL,
 * nothing has to be parsed or put together to find their answer again.
 */
export function createRecent(): Recent {
  const answersOf = new WeakMap<Caller, Map<string, Answer>>();
  return {
    get: (caller, url) => answersOf.get(caller)?.get(url),
    set(caller, url, answer) {
      const answers = answersOf.get(caller) ?? new Map<string, Answer>();
      // A crawler asks for each page once; what it leaves here would only be held in memory.
      if (answers.size < URLS_MAX) answers.set(url, answer);
      answersOf.set(caller, answers);
    },
  };
}
