import type { ReactNode } from 'react';
import { Icon } from '../button/icon.tsx';
import './notice.css';

/** A message in the page. A screen reader announces an error when it appears. */
export function Notice({
  look = 'info',
  title,
  actions,
  children,
}: {
  look?: 'info' | 'warning' | 'error';
  title?: string;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={`notice notice-${look}`} role={look === 'error' ? 'alert' : undefined}>
      {look !== 'info' && <Icon name="warning" />}
      <div className="notice-text">
        {title !== undefined && <p className="notice-title">{title}</p>}
        {children !== undefined && <div>{children}</div>}
      </div>
      {actions !== undefined && <div className="notice-actions">{actions}</div>}
    </div>
  );
}
