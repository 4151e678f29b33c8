/** The command cannot do what the user asks: exit code 1. The message is one line and says what would be right. */
export class CommandError extends Error {}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
};

/** Makes the error of an input file that cannot be read. */
export function cannotRead(file: string, { code = '' }: NodeJS.ErrnoException): CommandError {
  return new CommandError(`${file} cannot be read: ${REASONS[code] ?? code}`);
}
