/**
 * A file cannot be imported, or only up to a line. The user reads the message: one line that says how to correct it. Where the
 * message names an option of the command, `apiMessage` says how a client of the API corrects it.
 */
export class FileError extends Error {
  readonly apiMessage: string;

  constructor(message: string, apiMessage = message) {
    super(message);
    this.apiMessage = apiMessage;
  }
}

/** Writes a message of a file as a sentence, which a problem has in its detail. */
export function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const NAME_MAX_LENGTH = 60;
const NAMES_MAX_COUNT = 40;

/** Prints a text of the file for an error: one line, without control characters, cut when it is long. */
export function printName(text: string): string {
  const line = text
    .replace(/\s+/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
  return line.length > NAME_MAX_LENGTH ? `${line.slice(0, NAME_MAX_LENGTH)}…` : line;
}

/** Lists names for an error: `"Name", "Mobile"`, without blank ones; beyond the fortieth only their number. */
export function listNames(names: string[]): string {
  const printed = names.map(printName).filter((name) => name !== '');
  const texts = printed.slice(0, NAMES_MAX_COUNT).map((name) => `"${name}"`);
  const more = printed.length - texts.length;
  return texts.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
