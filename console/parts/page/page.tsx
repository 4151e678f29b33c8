import { useEffect, useRef, type ReactNode } from 'react';
import { useSearch } from 'wouter';
import { useSession } from '../../session/session.tsx';
import './page.css';

interface PageProps {
  title: string;
  /** A text beside the title, such as "2,341 people". */
  count?: ReactNode;
  /** A link above the title, to the page that contains this one. */
  above?: ReactNode;
  /** The buttons on the right; at most one of them is filled. */
  actions?: ReactNode;
  /** The row under the title: search, filters, tabs. */
  tools?: ReactNode;
  /** Whether the content, such as a grid, fills the window and scrolls by itself. */
  isFull?: boolean;
  children: ReactNode;
}

/** A page in the frame. Its heading gets the focus after navigation; after Back, a grid then moves the focus to its saved row. */
export function Page({ title, count, above, actions, tools, isFull = false, children }: PageProps) {
  const { me } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${me.account.displayName}`;
  }, [title, me.account.displayName]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  const role = useRef(me.role);
  useEffect(() => {
    // With another role, the control that had the focus may be gone.
    const isLost = role.current !== me.role && document.activeElement === document.body;
    if (isLost) heading.current?.focus({ preventScroll: true });
    role.current = me.role;
  }, [me.role]);
  // A screen reader says how many rows a filter finds. Without a filter, it would say the count of all at each new lead.
  const countRole = useSearch() === '' ? undefined : 'status';
  return (
    <div className={isFull ? 'page page-full' : 'page'}>
      <header className="page-head">
        {above !== undefined && <div className="page-above">{above}</div>}
        <div className="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {count !== undefined && (
            <p className="page-count" role={countRole}>
              {count}
            </p>
          )}
          {actions !== undefined && <div className="page-actions screen-only">{actions}</div>}
        </div>
        {tools !== undefined && <div className="page-tools screen-only">{tools}</div>}
      </header>
      <div className="page-content">{children}</div>
    </div>
  );
}
