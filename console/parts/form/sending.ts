/** The form that is being sent. */
let sending: Promise<unknown> = Promise.resolve();

/** Notes that a form is being sent, until it is. */
export function noteSending<T>(form: Promise<T>): Promise<T> {
  sending = form;
  const end = (): void => void (sending = Promise.resolve());
  form.then(end, end);
  return form;
}

/** Runs an action: at once, or, while a form is being sent, when that has worked. */
export const whenSent = (action: () => void): void => void sending.then(action, () => undefined);
