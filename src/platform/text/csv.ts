/**
 * At the start of a file, it makes Excel read UTF-8. Without it, Excel assumes the encoding of its country and garbles letters.
 */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The characters at which a spreadsheet takes a cell for a formula, as a class of a regular expression. A Japanese Excel also takes
 * their full-width forms.
 */
export const FORMULA = String.raw`[=+\-@\t\r＝＋－＠]`;
// Some spreadsheets trim the line end before a formula.
const BEGIN = String.raw`(?:${FORMULA}|\n)`;
const GUARDED = new RegExp(`^'(?='*${BEGIN})`);
const NEEDS_GUARD = new RegExp(`^'*${BEGIN}`);
const PHONE = /^\+\d[\d ()./-]*$/;
/** A phone that a spreadsheet would calculate as a formula, such as `+64-21-555`. */
const ARITHMETIC = /^\+\d+[./-][\d./-]*$/;

/** Guards a cell, so that no spreadsheet takes it for a formula. A phone of `+` and digits needs no guard. */
export function guardCell(cell: string): string {
  return NEEDS_GUARD.test(cell) && !isPhone(cell) ? `'${cell}` : cell;
}

function isPhone(cell: string): boolean {
  return PHONE.test(cell) && !ARITHMETIC.test(cell);
}

/** Removes the guard that `guardCell` adds. */
export function unguardCell(cell: string): string {
  return cell.replace(GUARDED, '');
}

/** Quotes a cell that a reader of CSV would misread without quotes. */
export function quoteCell(cell: string, delimiter = ','): string {
  const isPlain = !/["\r\n]|^\s|\s$/.test(cell) && !cell.includes(delimiter);
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
