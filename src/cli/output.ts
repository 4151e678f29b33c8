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

const BAR_WIDTH = 30;

/** A progress bar on stderr, when that is a terminal. */
export function progressBar(): ((done: number, total: number) => void) | undefined {
  if (!process.stderr.isTTY) return undefined;
  return (done, total) => {
    const share = total === 0 ? 1 : done / total;
    const bar = '='.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH);
    const count = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
    const end = done >= total ? '\n' : '';
    process.stderr.write(`\r[${bar}] ${Math.floor(share * 100)}% (${count})${end}`);
  };
}
