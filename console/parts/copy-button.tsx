import { Button } from './button.tsx';
import { texts } from './texts.ts';
import { showToast } from './toast.tsx';

/** Copies a text to the clipboard, and says so. */
export function CopyButton({
  text,
  children = texts.copy,
}: {
  text: string;
  children?: string | undefined;
}) {
  return (
    <Button
      onClick={() =>
        void navigator.clipboard.writeText(text).then(
          () => showToast({ text: texts.copied }),
          () => showToast({ text: texts.notCopied, look: 'error' }),
        )
      }
    >
      {children}
    </Button>
  );
}
