import './progress-bar.css';

/** A progress bar. `text` stands beside it, and is its value for screen readers. Without `done`, the progress is unknown. */
export function ProgressBar({
  label,
  text,
  done,
  total,
}: {
  label: string;
  text: string;
  done?: number | undefined;
  total?: number | undefined;
}) {
  const isKnown = done !== undefined && total !== undefined && total > 0;
  const percent = isKnown ? Math.min(100, (done / total) * 100) : undefined;
  return (
    <div className="progress-bar">
      <div
        className="progress-bar-track"
        role="progressbar"
        aria-label={label}
        aria-valuetext={text}
        {...(percent !== undefined && { 'aria-valuenow': Math.floor(percent) })}
      >
        <div
          className={
            percent === undefined ? 'progress-bar-fill progress-bar-open' : 'progress-bar-fill'
          }
          {...(percent !== undefined && { style: { width: `${percent}%` } })}
        />
      </div>
      <p>{text}</p>
    </div>
  );
}
