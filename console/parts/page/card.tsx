import type { ReactNode } from 'react';
import './card.css';

/** A panel of a page, with its own heading. */
export function Card({
  title,
  help,
  actions,
  className = '',
  children,
}: {
  title: string;
  help?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section className={`card ${className}`} aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
        {help}
        {actions !== undefined && <div className="card-actions screen-only">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
