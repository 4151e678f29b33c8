/** The command cannot do what the user asks. The message is one line and tells the user how to proceed. The exit code is 1. */
export class CommandError extends Error {}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
};

/** Creates the error of an input file that cannot be read. */
export function createReadError(file: string, { code = '' }: NodeJS.ErrnoException): CommandError {
  return new CommandError(`${file} cannot be read: ${REASONS[code] ?? code}`);
}
