import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { texts } from './texts.ts';
import { showToast } from './toast.tsx';

const SAYS_MS = 2_000;

/** Copies a text to the clipboard, and says so: in the button, since a toast lies behind an open dialog. */
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
