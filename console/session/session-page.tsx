import { useEffect, useRef, type ReactNode } from 'react';
import './session-page.css';

/** A page before the sign-in: a card in the middle of the window. */
export function SessionPage({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Offplan`;
    heading.current?.focus();
  }, [title]);
  return (
    <main className="session-page">
      <div className="session-card">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </main>
  );
}
