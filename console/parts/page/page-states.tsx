import { Component, useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react';
import { Button, ButtonLink } from '../button/button.tsx';
import { texts } from '../text/texts.ts';
import { findReloadFault, lazyPart, ScriptError } from './lazy-part.tsx';
import { Empty, LoadError, Skeleton } from './states.tsx';

/** A page whose code or data has not arrived yet. */
export function PageSkeleton() {
  return (
    <div className="page">
      <Skeleton lines={6} />
    </div>
  );
}

/** A page with only a message. Its heading gets the focus. */
export function MessagePage({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    heading.current?.focus();
  }, [title]);
  return (
    <div className="page">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}

export function NotFound() {
  return (
    <MessagePage title={texts.notFoundTitle}>
      <Empty action={<ButtonLink to="/">{texts.goHome}</ButtonLink>}>{texts.notFound}</Empty>
    </MessagePage>
  );
}

/** The page for a person who opens an address without the right to see it. */
export function NoPermission({ title }: { title: string }) {
  return (
    <MessagePage title={title}>
      <Empty action={<ButtonLink to="/">{texts.goHome}</ButtonLink>}>
        {texts.noPermission(title)}
      </Empty>
    </MessagePage>
  );
}

/** A page that could not be loaded. */
export function PageError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <MessagePage title={texts.pageError}>
      <LoadError error={error} onRetry={onRetry} />
    </MessagePage>
  );
}

/** Why the service could not be reached when a page was last to be loaded; '' when it could. */
let lastFault = '';

/**
 * A page whose script could not be loaded: the service has a new version of the console, or cannot be reached. Only in the first
 * case a reload helps. Chromium 150 keeps a failure until the page reloads, so reload when the service can be reached again.
 */
function ScriptGone() {
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    void findReloadFault().then((found) => {
      if (lastFault && !found) location.reload();
      else setFault((lastFault = found));
    });
  }, []);
  if (fault === undefined) return null;
  return (
    <MessagePage title={fault ? texts.pageError : texts.newVersionTitle}>
      {fault ? (
        <ScriptError fault={fault} />
      ) : (
        <Empty action={<Button onClick={() => location.reload()}>{texts.reload}</Button>}>
          {texts.newVersion}
        </Empty>
      )}
    </MessagePage>
  );
}

/** Makes a page whose script loads when a person first opens it. When it cannot be loaded, another page says why. */
export const lazyPage = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ReturnType<typeof lazyPart<Props>> => lazyPart(load, ScriptGone, <PageSkeleton />);

/** Catches the errors of a page, so that the navigation stays. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <PageError error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
