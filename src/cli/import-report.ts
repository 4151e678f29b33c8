import { openSync, writeFileSync } from 'node:fs';
import { type RefusedRow, type Layout, reportHeader, reportRow } from '../imports/index.ts';
import { CommandError } from './command.ts';

// Rows are people's data: nobody else's to read.
const MODE = 0o600;

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'its folder is a file',
  EACCES: 'permission is denied',
};

/** Begins the file of refused rows, and gives what adds to it; with null for a name there is none. */
export function createReport(file: string | null, layout: Layout): (refused: RefusedRow[]) => void {
  if (file === null) return () => undefined;
  const fd = create(file);
  writeFileSync(fd, reportHeader(layout));
  return (refused) => {
    const lines = refused.map(({ row, problem }) => reportRow(row, problem.message, layout));
    writeFileSync(fd, lines.join(''));
  };
}

function create(file: string): number {
  try {
    return openSync(file, 'wx', MODE);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new CommandError(
      code === 'EEXIST'
        ? `${file} already exists; name another file for the report`
        : `${file} cannot be written: ${REASONS[code] ?? code}`,
    );
  }
}
