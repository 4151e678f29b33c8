import { useEffect, useState } from 'react';
import { Button } from '../button/button.tsx';
import { showToast } from '../message/toast.tsx';
import { texts } from '../text/texts.ts';

const SAYS_MS = 2_000;

/** A button that copies a text to the clipboard. It confirms this in the button itself, because an open dialog covers toasts. */
export function CopyButton({
  text,
  children = texts.copy,
}: {
  text: string;
  children?: string | undefined;
}) {
  const [copiedAt, setCopiedAt] = useState<number>();
  useEffect(() => {
    if (copiedAt === undefined) return undefined;
    const timer = setTimeout(() => setCopiedAt(undefined), SAYS_MS);
    return () => clearTimeout(timer);
  }, [copiedAt]);
  return (
    <>
      <Button
        onClick={(event) =>
          void navigator.clipboard.writeText(text).then(
            () => setCopiedAt(event.timeStamp),
            () => showToast({ text: texts.notCopied, look: 'error' }),
          )
        }
        {...(copiedAt !== undefined && { icon: 'check' as const })}
      >
        {children}
      </Button>
      <span role="status" className="hidden-text">
        {copiedAt !== undefined && texts.copied}
      </span>
    </>
  );
}
