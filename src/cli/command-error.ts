/** Says why a command cannot do what the user asks. The message is one line, and tells the user what to do. The exit code is 1. */
export class CommandError extends Error {}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
};

/** Why a file or stdout cannot be written, by the code of the error. */
export const WRITE_REASONS: Record<string, string> = {
  EPIPE: 'its reader has closed it',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'its folder is a file',
  EEXIST: 'it is a file, not a folder',
  EACCES: 'permission is denied',
  EROFS: 'its disk is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'no space is left',
  EFBIG: 'it would be larger than a file may be',
};

/** Creates the error of an output file that cannot be written. */
export function createWriteError(file: string, { code = '' }: NodeJS.ErrnoException): CommandError {
  return new CommandError(`${file || '""'} cannot be written: ${WRITE_REASONS[code] ?? code}`);
}

/** Creates the error of an input file that cannot be read. */
export function createReadError(file: string, { code = '' }: NodeJS.ErrnoException): CommandError {
  return new CommandError(`${file || '""'} cannot be read: ${REASONS[code] ?? code}`);
}
