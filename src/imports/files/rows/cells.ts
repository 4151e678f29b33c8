import { FORMULA, isBlank, parseEmail } from '../../../platform/text/index.ts';
import type { FileField } from '../columns/field-names.ts';

/** The cells that other systems and spreadsheets write for a missing value. */
const NO_VALUES = new Set([
  'NULL',
  'N/A',
  'n/a',
  '-',
  '--',
  '–',
  '—',
  String.raw`\N`,
  '#N/A',
  '#VALUE!',
  '#REF!',
  '#NAME?',
  '#DIV/0!',
  '#NUM!',
  '#NULL!',
]);

const GUARDED = new RegExp(`^'(?='*(?:${FORMULA}|[\\n\\d]))`);

/** Reads a cell as the system that wrote it means it: without the guard of that system, and empty for a missing value. */
export function readCell(cell: string): string {
  const text = removeGuard(cell);
  return isBlank(text) || NO_VALUES.has(text.trim()) ? '' : text;
}

// Other systems write `="0110"` and `'0110`, so that a spreadsheet does not take the cell for a number or a formula.
function removeGuard(cell: string): string {
  if (cell.startsWith("'")) return cell.replace(GUARDED, '');
  if (!cell.startsWith('=')) return cell;
  return /^="(.*)"\s*$/s.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;
}

/** Guards the cells of a row of which it is unclear where the cells end. */
export function guardText(text: string, delimiter: string): string {
  const begin = new RegExp(`(^|[\\${delimiter}\\r\\n])([ "]*)(?=${FORMULA})`, 'g');
  return text.replace(begin, "$1$2'");
}

/** Splits a cell with several values (Google separates them by ` ::: `, and emails also by `;` and `,`). */
export function splitValues(text: string, field: FileField): string[] {
  if (field === 'notes') return [text];
  const values = text.includes(':::')
    ? text.split(':::').flatMap((each) => (isBlank(each) ? [] : each.trim()))
    : [text];
  return field === 'email' ? values.flatMap(splitEmails) : values;
}

function splitEmails(text: string): string[] {
  if (text.indexOf('@') === text.lastIndexOf('@')) return [text];
  const emails = text.split(/[;,\s]+/).filter((each) => each !== '');
  return emails.every((each) => parseEmail(each) !== null) ? emails : [text];
}

/** Whether a phone is a number that a spreadsheet has shortened, such as `2.1555E+08`. */
export function isScientific(phone: string): boolean {
  return /^\s*[+-]?\d+(?:[.,]\d+)?E[+-]?\d+\s*$/i.test(phone);
}
