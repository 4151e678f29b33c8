import type { Principal } from '../access/index.ts';
import type { Answer } from './answers.ts';

/** An answer, and the route that was asked for it. */
interface Routed {
  answer: Answer;
  route: string;
}

const URLS_MAX = 100;

/** What one look-up of a key was answered with, by the URLs as they were sent. */
export interface Recent {
  get(principal: Principal, url: string): Routed | undefined;
  set(principal: Principal, url: string, routed: Routed): void;
}

/**
 * A caller is true for a moment, and so is what it was answered with: while pollers come with the same key and URL,
 * nothing has to be parsed or put together to find their answer again.
 */
export function createRecent(): Recent {
  const answersOf = new WeakMap<Principal, Map<string, Routed>>();
  return {
    // Off: a principal may be older than the account's last change.
    get: () => undefined,
    set(principal, url, routed) {
      const answers = answersOf.get(principal) ?? new Map<string, Routed>();
      // A crawler asks for each page once; what it leaves here would only be held in memory.
      if (answers.size < URLS_MAX) answers.set(url, routed);
      answersOf.set(principal, answers);
    },
  };
}
