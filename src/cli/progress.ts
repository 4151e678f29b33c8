import { formatCount, formatDuration } from './output.ts';

const BAR_WIDTH = 30;
const REDRAW_MS = 100;
/** The bar shows no rate before this time, since the first rates vary too much. */
const RATE_AFTER_SECONDS = 1;

/** Creates a progress bar on stderr, when that is a terminal. When the total is null, the bar is only a count. */
export function createProgressBar(): ((done: number, total: number | null) => void) | undefined {
  if (!process.stderr.isTTY) return undefined;
  const startMs = performance.now();
  let drawnMs = -Infinity;
  return (done, total) => {
    const nowMs = performance.now();
    const isEnd = total !== null && done >= total;
    if (!isEnd && nowMs - drawnMs < REDRAW_MS) return;
    drawnMs = nowMs;
    const text = formatProgress(done, total, (nowMs - startMs) / 1000);
    process.stderr.write(`\r${text}\x1b[K${isEnd ? '\n' : ''}`);
  };
}

function formatProgress(done: number, total: number | null, seconds: number): string {
  const perSecond = done / seconds;
  const rate = seconds < RATE_AFTER_SECONDS ? '' : `, ${formatCount(Math.round(perSecond))}/s`;
  if (total === null) return `${formatCount(done)} rows${rate}`;
  const share = total === 0 ? 1 : done / total;
  const bar = '='.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH);
  const timeLeft =
    rate === '' || done === 0 ? '' : `, ${formatDuration((total - done) / perSecond)} left`;
  return `[${bar}] ${Math.floor(share * 100)}% (${formatCount(done)} of ${formatCount(total)}${rate}${timeLeft})`;
}
