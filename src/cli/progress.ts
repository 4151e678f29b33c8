import { formatCount } from '../platform/text/index.ts';
import { formatDuration, isTerminal, redrawLine } from './output.ts';

const BAR_WIDTH = 30;
const REDRAW_MS = 100;
/** The bar shows no rate before this time, since the first rates vary too much. */
const RATE_AFTER_SECONDS = 1;

/** Creates a progress bar on stderr, when that is a terminal. */
export function createProgressBar(): ((done: number, total: number) => void) | undefined {
  if (!isTerminal()) return undefined;
  const startMs = performance.now();
  let drawnMs = -Infinity;
  return (done, total) => {
    const nowMs = performance.now();
    const isEnd = done >= total;
    if (!isEnd && nowMs - drawnMs < REDRAW_MS) return;
    drawnMs = nowMs;
    redrawLine(formatProgress(done, total, (nowMs - startMs) / 1000), isEnd);
  };
}

function formatProgress(done: number, total: number, seconds: number): string {
  const perSecond = done / seconds;
  const rate = seconds < RATE_AFTER_SECONDS ? '' : `, ${formatCount(perSecond)}/s`;
  const share = total === 0 ? 1 : done / total;
  const bar = '='.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH);
  const timeLeft =
    rate === '' || done === 0 ? '' : `, ${formatDuration((total - done) / perSecond)} left`;
  return `[${bar}] ${Math.floor(share * 100)}% (${formatCount(done)} of ${formatCount(total)}${rate}${timeLeft})`;
}
