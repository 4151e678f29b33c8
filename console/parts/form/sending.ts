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
