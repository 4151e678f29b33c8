import { parseExactJson } from '../platform/text/index.ts';
import { AccountFileError } from './faults.ts';

/** Parses a JSON text. Throws an AccountFileError that has the line and the column of the fault and quotes nothing. */
export function parseJson(text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const message = tryToParse(json);
  if (typeof message !== 'string') return message.value;
  throw new AccountFileError([{ pointer: '', detail: describeBreak(json, message) }]);
}

/** Parses a JSON text, or returns the parser's message, which may quote the text. */
function tryToParse(json: string): { value: unknown } | string {
  try {
    return { value: parseExactJson(json) };
  } catch (error) {
    return String(error);
  }
}

function describeBreak(json: string, message: string): string {
  if (json.trim() === '') return 'is empty; it must be a JSON object.';
  const offset = findBreak(json, message);
  const before = json.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  const fault = offset === json.length ? 'ends too early' : 'is not valid JSON';
  return `${fault}: line ${line}, column ${column}.`;
}

const UNEXPECTED_TOKEN = ' is not valid JSON';
const POSITION = / at position (\d+) \(line \d+ column \d+\)$/;

/** Finds the offset of the first wrong character. Returns the length of the text when the text ends too early. */
function findBreak(json: string, message: string): number {
  const position = POSITION.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  if (!message.endsWith(UNEXPECTED_TOKEN)) return json.length;
  // V8 gives no position for an unexpected token, so find the shortest prefix that has one.
  let valid = 0;
  let broken = json.length + 1;
  while (broken - valid > 1) {
    const middle = Math.floor((valid + broken) / 2);
    if (hasUnexpectedToken(json.slice(0, middle))) broken = middle;
    else valid = middle;
  }
  return valid;
}

function hasUnexpectedToken(prefix: string): boolean {
  const message = tryToParse(prefix);
  return typeof message === 'string' && message.endsWith(UNEXPECTED_TOKEN);
}
