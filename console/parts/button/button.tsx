import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon, type IconName } from './icon.tsx';
import './button.css';

interface ButtonProps extends ComponentProps<'button'> {
  /** `filled` is for the one main action of a page, `danger` for an action that cannot be undone. `bare` has no border. */
  look?: 'filled' | 'plain' | 'bare' | 'danger';
  icon?: IconName;
  /** Shows only the icon. The text becomes its accessible name. */
  isIconOnly?: boolean;
  /** Whether the action is running. The button then keeps the focus, but does nothing. */
  isBusy?: boolean;
  children: ReactNode;
}

export function Button({
  look = 'plain',
  icon,
  isIconOnly = false,
  isBusy = false,
  children,
  className = '',
  onClick,
  ...others
}: ButtonProps) {
  return (
    <button
      type="button"
      {...others}
      className={`button button-${look} ${isIconOnly ? 'button-icon' : ''} ${className}`}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      {isIconOnly ? <span className="hidden-text">{children}</span> : children}
    </button>
  );
}

/** A link to another page that looks like a button. */
export function ButtonLink({
  to,
  look = 'plain',
  icon,
  children,
}: {
  to: string;
  look?: 'filled' | 'plain' | 'bare';
  icon?: IconName;
  children: ReactNode;
}) {
  return (
    <Link href={to} className={`button button-${look}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </Link>
  );
}
