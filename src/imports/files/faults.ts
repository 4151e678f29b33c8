/** A file that cannot be imported, or not beyond a line. The message is public: one line, what would be right. */
export class FileError extends Error {}

const NAME_MAX_LENGTH = 60;
const NAMES_MAX_COUNT = 40;

/** A text of the file as an error shows it: one line, without control characters, cut when it is long. */
export function shown(text: string): string {
  const line = text
    .replace(/\s+/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
  return line.length > NAME_MAX_LENGTH ? `${line.slice(0, NAME_MAX_LENGTH)}…` : line;
}

/** Names as an error lists them: `"Name", "Mobile"`; beyond the fortieth only how many. */
export function listed(names: string[]): string {
  const told = names.slice(0, NAMES_MAX_COUNT).map((name) => `"${shown(name)}"`);
  const rest = names.length - told.length;
  return told.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
