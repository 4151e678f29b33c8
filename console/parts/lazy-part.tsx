import { useEffect, useState, type ComponentType } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { describeProblem } from './problem-texts.ts';
import { texts } from './texts.ts';

/**
 * Makes a part of a page whose script loads when the part is first shown. When the script cannot be loaded, `Failed` stands in
 * its place, and the page stays as it is.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Failed: ComponentType<Props> = PartError,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then(
        (module) => {
          loaded = module.default;
          setPart(() => loaded);
        },
        () => setPart(() => Failed),
      );
    }, []);
    return Part === undefined ? null : <Part {...props} />;
  };
}

/** Makes a dialog whose script loads when it is first shown. When it cannot be loaded, a dialog says so. */
export const lazyDialog = <Props extends { onClose: () => void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> => lazyPart(load, DialogError);

/**
 * Says in the place of a part that its script could not be loaded. Not every browser requests such a script again. So Try again
 * reloads the page, but only when the service answers: while it does not, a reload would show an error page of the browser.
 */
export function PartError() {
  const [reason, setReason] = useState('');
  return (
    <Notice
      look="error"
      title={texts.notLoaded}
      actions={
        <Button
          data-initial-focus
          onClick={() => {
            fetch(location.href, { cache: 'no-store' }).then(
              () => location.reload(),
              (error: unknown) => setReason(describeProblem(error)),
            );
          }}
        >
          {texts.tryAgain}
        </Button>
      }
    >
      {reason || texts.partNotLoaded}
    </Notice>
  );
}

function DialogError({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.notLoaded} onClose={onClose}>
      <PartError />
    </Dialog>
  );
}
