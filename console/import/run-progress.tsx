import { useEffect, useRef, useState } from 'react';
import type { ContactFile } from '../api.ts';
import { ProgressBar } from '../parts/page/progress-bar.tsx';
import { texts } from './texts.ts';

/** The progress of a run, with the remaining time. A screen reader announces each quarter, not each per cent. */
export function RunProgress({ label, file }: { label: string; file: ContactFile }) {
  const { rows, run, status } = file;
  const done = run?.rowsRead ?? 0;
  const left = useTimeLeft(done, rows);
  const isWaiting = status === 'queued';
  const isStopping = status === 'stopping';
  const quarter = rows === null || rows === 0 ? 0 : Math.floor((done / rows) * 4) * 25;
  const text = [
    isWaiting ? texts.run.queued : isStopping ? texts.run.stopping : texts.run.progress(done, rows),
    !isWaiting && !isStopping && left,
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <>
      <ProgressBar
        label={label}
        text={text}
        done={isWaiting ? undefined : done}
        total={rows ?? undefined}
      />
      <p className="hidden-text" role="status">
        {quarter > 0 && quarter < 100 && texts.run.quarter(quarter)}
      </p>
    </>
  );
}

/** The remaining time is shown only after this long: an earlier estimate would be a guess. */
const OBSERVED_MIN_MS = 3_000;

/** Estimates the remaining time of a run from its speed since the page shows it. */
function useTimeLeft(done: number, total: number | null): string | undefined {
  const first = useRef<{ atMs: number; done: number }>(undefined);
  const [text, setText] = useState<string>();
  useEffect(() => {
    const atMs = performance.now();
    first.current ??= { atMs, done };
    const { atMs: firstMs, done: firstDone } = first.current;
    if (total === null || done <= firstDone || atMs - firstMs < OBSERVED_MIN_MS) return;
    const leftMs = ((total - done) * (atMs - firstMs)) / (done - firstDone);
    const minutes = Math.round(leftMs / 60_000);
    setText(minutes === 0 ? texts.run.lessThanMinute : texts.run.minutes(minutes));
  }, [done, total]);
  return text;
}
