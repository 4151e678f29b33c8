/** The question that a dialog asks before a refused request can go on. */
export type Question = 'sign-in' | 'confirmation' | 'second-step';

interface Asked {
  question: Question;
  /** True: the person has answered, and the request can be sent again. */
  answer: (isAnswered: boolean) => void;
  promise: Promise<boolean>;
}

let asked: Asked | undefined;
const listeners = new Set<() => void>();

function change(next: Asked | undefined): void {
  asked = next;
  for (const listener of listeners) listener();
}

/** Asks a question, once for all requests that wait for its answer. Returns false when the person cancels. */
export function ask(question: Question): Promise<boolean> {
  if (asked === undefined) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const answer = (isAnswered: boolean): void => {
      change(undefined);
      resolve(isAnswered);
    };
    change({ question, answer, promise });
    return promise;
  }
  return asked.promise;
}

/** For `useSyncExternalStore`: the question that is open. */
export const questions = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  read: () => asked,
};
