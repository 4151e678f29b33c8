import type { ReactNode } from 'react';
import { ProblemError } from '../../api.ts';
import { Button } from '../button/button.tsx';
import { CopyButton } from '../form/copy-button.tsx';
import { keepFocus } from '../keyboard/keep-focus.ts';
import { Notice } from '../message/notice.tsx';
import { describeProblem } from '../text/problem-texts.ts';
import { texts } from '../text/texts.ts';
import './states.css';

/** The content of an empty page or card: one sentence, and the action that changes it. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty" ref={keepFocus}>
      <p>{children}</p>
      {action !== undefined && <div className="empty-actions">{action}</div>}
    </div>
  );
}

/** A part of the page that could not be loaded. It says what happened and what to do. */
export function LoadError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const requestId = error instanceof ProblemError ? error.requestId : undefined;
  return (
    <Notice
      look="error"
      title={texts.notLoaded}
      actions={
        <>
          {onRetry !== undefined && <Button onClick={onRetry}>{texts.tryAgain}</Button>}
          {requestId !== undefined && (
            <CopyButton text={requestId}>{texts.copyRequestId}</CopyButton>
          )}
        </>
      }
    >
      {describeProblem(error)}
    </Notice>
  );
}

/** Grey bars in the shape of the expected content. They appear after a delay, so that fast answers do not flicker. */
export function Skeleton({
  lines = 3,
  label = texts.loading,
  look = 'lines',
}: {
  lines?: number;
  label?: string;
  /** `rows` for the rows of a table. */
  look?: 'lines' | 'rows';
}) {
  return (
    <div className={look === 'rows' ? 'skeleton skeleton-rows' : 'skeleton'} role="status">
      <span className="hidden-text">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="skeleton-bar" />
      ))}
    </div>
  );
}
