/** The question that a dialog asks before a refused request can go on. */
export type Question = 'sign-in' | 'confirmation' | 'second-step';

interface Asked {
  question: Question;
  /** Answers the question. True means that the refused request can be sent again. */
  answer: (isAnswered: boolean) => void;
  promise: Promise<boolean>;
}

let asked: Asked | undefined;
let signOutCount = 0;
const listeners = new Set<() => void>();

function change(next: Asked | undefined): void {
  asked = next;
  for (const listener of listeners) listener();
}

/**
 * Opens the dialog of a question. Further requests with the same question wait for its answer; one with another question waits
 * until that dialog is closed, and then opens its own. Resolves to false when the person cancels.
 */
export async function ask(question: Question): Promise<boolean> {
  if (asked === undefined) return open(question);
  if (asked.question === question) return asked.promise;
  await asked.promise;
  return ask(question);
}

function open(question: Question): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const answer = (isAnswered: boolean): void => {
    change(undefined);
    resolve(isAnswered);
  };
  change({ question, answer, promise });
  return promise;
}

/** Counts how often a person has signed out. A request of before that is refused later must not ask the next person. */
export const countSignOuts = (): number => signOutCount;

/** Notes that the person signs out, and cancels the open question. */
export function noteSignOut(): void {
  signOutCount += 1;
  asked?.answer(false);
}

/** The store of the open question, for `useSyncExternalStore`. */
export const questions = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  read: () => asked,
};

/** The forms that are being sent: that of a dialog may wait for the answer to the one above it, which asks to sign in again. */
const sending = new Set<Promise<unknown>>();

/** Notes that a form is being sent, until it is. */
export function noteSending<T>(form: Promise<T>): Promise<T> {
  sending.add(form);
  const end = (): void => void sending.delete(form);
  form.then(end, end);
  return form;
}

/** Runs an action: at once, or, while forms are being sent, when that has worked. */
export const whenSent = (action: () => void): void =>
  void Promise.all(sending).then(action, () => undefined);
