/** Makes the `onClose` of a dialog whose answer is shown only once: it does nothing while the form is being sent. */
export const unlessSending = (onClose: () => void) => (): void => {
  if (document.querySelector('dialog [type=submit][aria-disabled]') === null) onClose();
};
