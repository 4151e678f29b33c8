import { CopyButton } from './copy-button.tsx';
import './copy-text.css';

/** A text that a person copies, such as a link or a key. A click selects all of it. */
export function CopyText({
  label,
  text,
  copy,
}: {
  label: string;
  text: string;
  copy?: string | undefined;
}) {
  return (
    <div className="copy-text">
      <p className="copy-text-label">{label}</p>
      <pre>{text}</pre>
      <CopyButton text={text}>{copy}</CopyButton>
    </div>
  );
}

/** Makes the `onClose` of a dialog whose answer is shown only once: it does nothing while the form is being sent. */
export const unlessSending = (onClose: () => void) => (): void => {
  if (document.querySelector('dialog [type=submit][aria-disabled]') === null) onClose();
};
