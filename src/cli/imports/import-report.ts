import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { format, parse } from 'node:path';
import {
  type RefusedRow,
  type Layout,
  formatReportHeader,
  formatReportRow,
  isReport,
} from '../../imports/index.ts';
import { CommandError, createWriteError } from '../command-error.ts';
import { say } from '../output.ts';

/** Only the owner of the file may read it: the rows contain personal data. */
const FILE_MODE = 0o600;

/** A file of refused rows. */
export interface Report {
  write: (refused: RefusedRow[]) => void;
  /** Closes the file. Deletes the report of an earlier run when both are equal. */
  close: () => void;
}

/**
 * Creates the file of refused rows, or a report that does nothing without a file. The report of an earlier run, such as the
 * dry run, gets another name, since a person may have corrected rows in it.
 */
export function createReport(file: string | undefined, input: string, layout: Layout): Report {
  if (file === undefined) return { write: () => undefined, close: () => undefined };
  const earlier = moveEarlierReport(file, input);
  const descriptor = openReport(file);
  write(descriptor, file, formatReportHeader(layout));
  return {
    write: (refused) => {
      const lines = refused.map(({ row, problem }) =>
        formatReportRow(row, problem.message, layout),
      );
      write(descriptor, file, lines.join(''));
    },
    close: () => {
      closeSync(descriptor);
      if (earlier !== null) settleEarlierReport(earlier, file);
    },
  };
}

const HEAD_BYTES = 100;

/** Renames an earlier report with this name. It does not rename any other file; the new report then cannot be created. */
function moveEarlierReport(file: string, input: string): string | null {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status?.isFile() !== true || status.ino === statSync(input, { throwIfNoEntry: false })?.ino)
    return null;
  if (!isReport(readHead(file))) return null;
  const { dir, name, ext } = parse(file);
  let kept = file;
  for (let n = 1; existsSync(kept); n += 1) kept = format({ dir, name: `${name}.${n}`, ext });
  renameSync(file, kept);
  return kept;
}

function settleEarlierReport(earlier: string, file: string): void {
  if (readFileSync(earlier).equals(readFileSync(file))) unlinkSync(earlier);
  else say(`${file} was the report of an earlier run, which differs. It is kept as ${earlier}.`);
}

function readHead(file: string): string {
  const descriptor = openSync(file, 'r');
  const head = Buffer.alloc(HEAD_BYTES);
  const length = readSync(descriptor, head, 0, HEAD_BYTES, 0);
  closeSync(descriptor);
  return head.toString('utf8', 0, length);
}

function openReport(file: string): number {
  try {
    return openSync(file, 'wx', FILE_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CommandError(`${file} already exists; name another file for the report`);
    throw createWriteError(file, error as NodeJS.ErrnoException);
  }
}

function write(descriptor: number, file: string, text: string): void {
  try {
    writeFileSync(descriptor, text);
  } catch (error) {
    throw createWriteError(file, error as NodeJS.ErrnoException);
  }
}
