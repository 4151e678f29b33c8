import { Component, useEffect, useRef, type ReactNode } from 'react';
import { Button, ButtonLink } from './button.tsx';
import { Empty, LoadError, Skeleton } from './states.tsx';
import { texts } from './texts.ts';

/** A page before its program or its data has come. */
export function PageSkeleton() {
  return (
    <div className="page">
      <Skeleton lines={6} />
    </div>
  );
}

/** A page that is only a message, with the heading that takes the focus. */
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

/** A page whose address was typed by a person who may not see it. */
export function NoPermission({ title }: { title: string }) {
  return (
    <MessagePage title={title}>
      <Empty action={<ButtonLink to="/">{texts.goHome}</ButtonLink>}>
        {texts.noPermission(title)}
      </Empty>
    </MessagePage>
  );
}

/** A page that could not be loaded at all. */
export function PageError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <MessagePage title={texts.pageError}>
      <LoadError error={error} onRetry={onRetry} />
    </MessagePage>
  );
}

/** Catches the errors of a page, so that the navigation stays. A script that is gone means that a new version is there. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (isScriptGone(error))
      return (
        <MessagePage title={texts.newVersionTitle}>
          <Empty action={<Button onClick={() => location.reload()}>{texts.reload}</Button>}>
            {texts.newVersion}
          </Empty>
        </MessagePage>
      );
    return <PageError error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}

/** Each browser words the failed import of a script in its own way, and Vite that of its styles. */
const isScriptGone = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|module script|preload CSS/i.test(error.message);
