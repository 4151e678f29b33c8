import { count, duration } from './output.ts';

const BAR_WIDTH = 30;
const REDRAW_MS = 100;
/** The bar shows no rate before this time: it would jump. */
const RATE_AFTER_SECONDS = 1;

/** Makes a progress bar on stderr, when that is a terminal. It shows a count when the total is null. */
export function progressBar(): ((done: number, total: number | null) => void) | undefined {
  if (!process.stderr.isTTY) return undefined;
  const startMs = performance.now();
  let drawnMs = -Infinity;
  return (done, total) => {
    const nowMs = performance.now();
    const isEnd = total !== null && done >= total;
    if (!isEnd && nowMs - drawnMs < REDRAW_MS) return;
    drawnMs = nowMs;
    const text = progressText(done, total, (nowMs - startMs) / 1000);
    process.stderr.write(`\r${text}\x1b[K${isEnd ? '\n' : ''}`);
  };
}

function progressText(done: number, total: number | null, seconds: number): string {
  const perSecond = done / seconds;
  const rate = seconds < RATE_AFTER_SECONDS ? '' : `, ${count(Math.round(perSecond))}/s`;
  if (total === null) return `${count(done)} rows${rate}`;
  const share = total === 0 ? 1 : done / total;
  const bar = '='.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH);
  const left = rate === '' || done === 0 ? '' : `, ${duration((total - done) / perSecond)} left`;
  return `[${bar}] ${Math.floor(share * 100)}% (${count(done)} of ${count(total)}${rate}${left})`;
}
