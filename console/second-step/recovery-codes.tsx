import { useEffect, useRef } from 'react';
import { Button } from '../parts/button/button.tsx';
import { CopyButton } from '../parts/form/copy-button.tsx';
import { useSession } from '../session/session.tsx';
import { texts } from './texts.ts';

/** Shows the recovery codes once, to copy or print. The printed page has only the codes. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { me } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  // The pressed button, which had the focus, is no longer in the page.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="recovery-codes">
      <h3 ref={heading} tabIndex={-1} data-initial-focus>
        {texts.codesOf(me.user?.email ?? '')}
      </h3>
      <p>{texts.codesExplain}</p>
      <ol aria-label={texts.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="form-buttons screen-only">
        <CopyButton text={codes.join('\n')}>{texts.copyCodes}</CopyButton>
        <Button onClick={() => print()}>{texts.print}</Button>
        <Button look="filled" onClick={onDone}>
          {texts.haveKept}
        </Button>
      </div>
    </div>
  );
}
