import { openSync, writeFileSync } from 'node:fs';
import {
  type RefusedRow,
  type Layout,
  formatReportHeader,
  formatReportRow,
} from '../imports/index.ts';
import { CommandError } from './command-error.ts';

/** Only the owner of the file may read it: the rows contain personal data. */
const FILE_MODE = 0o600;

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'its folder is a file',
  EACCES: 'permission is denied',
};

/** Creates the file of refused rows. Returns a function that appends rows to it, or does nothing without a file. */
export function createReport(
  file: string | undefined,
  layout: Layout,
): (refused: RefusedRow[]) => void {
  if (file === undefined) return () => undefined;
  const descriptor = openReport(file);
  writeFileSync(descriptor, formatReportHeader(layout));
  return (refused) => {
    const lines = refused.map(({ row, problem }) => formatReportRow(row, problem.message, layout));
    writeFileSync(descriptor, lines.join(''));
  };
}

function openReport(file: string): number {
  try {
    return openSync(file, 'wx', FILE_MODE);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new CommandError(
      code === 'EEXIST'
        ? `${file} already exists; name another file for the report`
        : `${file} cannot be written: ${REASONS[code] ?? code}`,
    );
  }
}
