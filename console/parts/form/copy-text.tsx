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
