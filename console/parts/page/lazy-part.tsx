import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { Notice } from '../message/notice.tsx';
import { describeProblem } from '../text/problem-texts.ts';
import { texts } from '../text/texts.ts';

type LazyPart<Props> = ComponentType<Props> & {
  /** Loads the script before the part is shown. When this fails, the person learns it when the part is shown. */
  preload: () => void;
};

/**
 * Makes a part of a page whose script loads when the part is first shown; `loading` stands in its place meanwhile. When the script
 * cannot be loaded, `Failed` stands there, and the page stays as it is. `lazy` of React would keep the failure; here, the browser
 * decides whether the script is requested again when the part is next shown. Chromium 150 does not before a reload.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Failed: ComponentType<Props> = PartError,
  loading: ReactNode = null,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  async function request(): Promise<void> {
    loaded = (await load()).default;
  }
  function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      request().then(
        () => setPart(() => loaded),
        () => setPart(() => Failed),
      );
    }, []);
    return Part === undefined ? loading : <Part {...props} />;
  }
  LazyPart.preload = () => void request().catch(() => undefined);
  return LazyPart;
}

/** Makes a dialog whose script loads when it is first shown. When it cannot be loaded, a dialog says so. */
export const lazyDialog = <Props extends { onClose: () => void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyPart<Props> => lazyPart(load, DialogError);

/** Says in the place of a part that its script could not be loaded. */
export function PartError() {
  return <ScriptError title={texts.notLoaded} />;
}

/** Says in a dialog that the script of a part could not be loaded. */
export function DialogError({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.notLoaded} onClose={() => onClose()}>
      <ScriptError />
    </Dialog>
  );
}

/** Returns why a reload of the page would fail now, or '' when the service has the page. */
export async function findReloadFault(): Promise<string> {
  try {
    const { ok, status } = await fetch(location.href, { cache: 'no-store' });
    return ok ? '' : texts.answersError(status);
  } catch (error) {
    return describeProblem(error);
  }
}

/**
 * Not every browser requests a script again that could not be loaded. So Try again reloads the page, but only when the service has
 * it: otherwise a reload would show an error page, and the open page would be gone.
 */
export function ScriptError({ title, fault = '' }: { title?: string; fault?: string }) {
  const [reason, setReason] = useState(fault);

  async function reload(): Promise<void> {
    const found = await findReloadFault();
    if (found === '') location.reload();
    else setReason(found);
  }

  return (
    <Notice
      look="error"
      {...(title !== undefined && { title })}
      actions={
        <Button data-initial-focus onClick={() => void reload()}>
          {texts.tryAgain}
        </Button>
      }
    >
      {reason || texts.partNotLoaded}
    </Notice>
  );
}
