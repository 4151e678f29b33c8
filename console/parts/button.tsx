import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon, type IconName } from './icon.tsx';
import './button.css';

interface ButtonProps extends ComponentProps<'button'> {
  /** `filled` is the one main act of a page, `danger` cannot be undone, `bare` has no edge. */
  look?: 'filled' | 'plain' | 'bare' | 'danger';
  icon?: IconName;
  /** Shows only the icon. The text is its name. */
  isIconOnly?: boolean;
  /** The act is under way: the button stays focusable, and does nothing. */
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
