/**
 * The error of a file that cannot be imported, or only up to a line. The message is one line that says how the user can correct
 * it. When it names an option of the command, `apiMessage` says how a client of the API corrects it, and `pointer` where in the
 * start of a contact file.
 */
export class FileError extends Error {
  readonly apiMessage: string;
  readonly pointer: string | undefined;

  constructor(message: string, apiMessage = message, pointer?: string) {
    super(message);
    this.apiMessage = apiMessage;
    this.pointer = pointer;
  }
}

/** Writes the message of a FileError as a sentence, for the detail of a problem. */
export function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const NAME_MAX_LENGTH = 60;
const NAMES_MAX_COUNT = 40;

/** Formats a text of the file for an error: on one line, without control characters, and cut when it is long. */
export function printName(text: string): string {
  const line = text
    .replace(/\s+/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
  return line.length > NAME_MAX_LENGTH ? `${line.slice(0, NAME_MAX_LENGTH)}…` : line;
}

/** Lists names for an error: `"Name", "Mobile"`, without blank ones, and only a number for those after the fortieth. */
export function listNames(names: string[]): string {
  const printed = names.map(printName).filter((name) => name !== '');
  const texts = printed.slice(0, NAMES_MAX_COUNT).map((name) => `"${name}"`);
  const more = printed.length - texts.length;
  return texts.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
