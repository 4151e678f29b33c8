/** Stdout took no more. */
export class OutputError extends Error {
  /** A reader that has seen enough (`| head`) closed the pipe: no fault. */
  readonly isClosedPipe: boolean;

  constructor(cause: NodeJS.ErrnoException) {
    super(`stdout cannot be written: ${cause.code === 'ENOSPC' ? 'no space is left' : cause.code}`);
    this.isClosedPipe = cause.code === 'EPIPE';
  }
}

/** Writes a result to stdout, and waits until the reader has taken it. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(new OutputError(error)) : resolve()));
  });
}

// The write above tells what went wrong; unheard, the event would end the process.
process.stdout.on('error', () => undefined);
// Nobody is left to tell that stderr cannot be written; the work goes on.
process.stderr.on('error', () => undefined);

/** Writes a line for people to stderr. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Writes a line of progress to stderr, when that is a terminal. */
export function sayToPeople(line: string): void {
  if (process.stderr.isTTY) say(line);
}

/** A progress bar on stderr, when that is a terminal; a count when the total is not known. */
export function progressBar(): ((done: number, total: number | null) => void) | undefined {
  if (!process.stderr.isTTY) return undefined;
  const startMs = performance.now();
  let shownMs = -Infinity;
  return (done, total) => {
    const nowMs = performance.now();
    const isEnd = total !== null && done >= total;
    if (!isEnd && nowMs - shownMs < BAR_EVERY_MS) return;
    shownMs = nowMs;
    const text = progressText(done, total, (nowMs - startMs) / 1000);
    process.stderr.write(`\r${text}\x1b[K${isEnd ? '\n' : ''}`);
  };
}

const BAR_WIDTH = 30;
const BAR_EVERY_MS = 100;
/** Before that, a rate says nothing. */
const RATE_AFTER_S = 1;

function progressText(done: number, total: number | null, seconds: number): string {
  const perSecond = done / seconds;
  const rate = seconds < RATE_AFTER_S ? '' : `, ${count(Math.round(perSecond))}/s`;
  if (total === null) return `${count(done)} rows${rate}`;
  const share = total === 0 ? 1 : done / total;
  const bar = '='.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH);
  const left = rate === '' || done === 0 ? '' : `, ${duration((total - done) / perSecond)} left`;
  return `[${bar}] ${Math.floor(share * 100)}% (${count(done)} of ${count(total)}${rate}${left})`;
}

/** What somebody else wrote, in a line of ours: without line breaks, and without what a terminal would obey. */
export function onOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** The same over many lines: what a terminal would obey is shown as its code, which in JSON is the same text. */
export function onLines(text: string): string {
  return text.replace(
    /(?![\t\r\n])\p{Cc}/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A number as people read it: `12,000`. */
export function count(number: number): string {
  return number.toLocaleString('en');
}

/** Seconds as people read them: `0.4 s`, `42 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
