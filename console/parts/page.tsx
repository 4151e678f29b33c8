import { useEffect, useRef, type ReactNode } from 'react';
import { useSession } from '../session/session.tsx';
import './page.css';

interface PageProps {
  title: string;
  /** Said beside the title, such as "2,341 people". */
  count?: ReactNode;
  /** The page that this one belongs to, as a link above the title. */
  above?: ReactNode;
  /** The buttons on the right; at most one of them is filled. */
  actions?: ReactNode;
  /** The row under the title: search, filters, tabs. */
  tools?: ReactNode;
  /** The content fills the window and scrolls in itself, such as a grid. */
  isFull?: boolean;
  children: ReactNode;
}

/** A page of the frame: its one heading, which takes the focus after navigation, and its content. After Back a grid takes it from there. */
export function Page({ title, count, above, actions, tools, isFull = false, children }: PageProps) {
  const { me } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${me.account.displayName}`;
  }, [title, me.account.displayName]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={isFull ? 'page page-full' : 'page'}>
      <header className="page-head">
        {above !== undefined && <div className="page-above">{above}</div>}
        <div className="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {count !== undefined && <p className="page-count">{count}</p>}
          {actions !== undefined && <div className="page-actions screen-only">{actions}</div>}
        </div>
        {tools !== undefined && <div className="page-tools screen-only">{tools}</div>}
      </header>
      <div className="page-content">{children}</div>
    </div>
  );
}
