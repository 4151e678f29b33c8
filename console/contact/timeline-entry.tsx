import type { ReactNode } from 'react';

interface TimelineEntryProps {
  who: string;
  line: ReactNode;
  time: string;
  at: string;
  actions?: ReactNode;
  children?: ReactNode;
}

/** An entry of the timeline: who did what and when, with details below. */
export function TimelineEntry({ who, line, time, at, actions, children }: TimelineEntryProps) {
  return (
    <div className="timeline-item">
      <span className="timeline-letter" aria-hidden="true">
        {who.slice(0, 1).toUpperCase()}
      </span>
      <div className="timeline-content">
        <div className="timeline-line">
          <p>
            <strong>{who}</strong> {line}
            <time className="timeline-time" dateTime={at}>
              {' '}
              · {time}
            </time>
          </p>
          {actions !== undefined && actions !== false && (
            <span className="timeline-actions screen-only">{actions}</span>
          )}
        </div>
        {children}
      </div>
    </div>
  );
}
