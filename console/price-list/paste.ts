/**
 * The columns that pasted cells can belong to, by their headers in a price list. They are those of `UNIT_FIELDS`: an import of that
 * list splits off a file which the Stock page loads, and the page is at its limit.
 */
export const COLUMNS = [
  'lotNumber',
  'name',
  'status',
  'price',
  'priceDisplay',
  'unitType',
  'level',
  'bedrooms',
  'bathrooms',
  'carSpaces',
  'aspect',
  'internalAreaSqm',
  'externalAreaSqm',
  'landAreaSqm',
  'currency',
] as const;

/**
 * Parses cells from a spreadsheet: tabs separate cells, and quotes enclose those with line breaks. Empty rows after the cells are
 * left out.
 */
export function readCells(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r?\n|$)/gy;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [whole, quoted, plain = '', end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== '\t') {
      rows.push(row);
      row = [];
    }
    if (whole === '' || pattern.lastIndex >= text.length) break;
  }
  rows.push(row);
  return rows.slice(0, rows.findLastIndex(isFilled) + 1);
}

/** Returns whether a row has a cell that is not blank. */
export const isFilled = (row: readonly string[]): boolean => row.some((cell) => cell.trim() !== '');

/** Removes case, punctuation and brackets, which the API ignores in headers, too, and shortens usual names of a lot or a unit. */
const fold = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/\([^()]*\)|[^\p{L}\p{N}]+/gu, '')
    .replace(/^lotno$/, 'lot')
    .replace(/^unit(no|number|name)?$/, 'name')
    .replace(/^listprice$/, 'price');

/** Finds the column of a header, by its name in files or in the console. Returns an empty text when there is none. */
export function findColumn(header: string, titles: Record<string, string>): string {
  const wanted = fold(header);
  return COLUMNS.find((name) => fold(name) === wanted || fold(titles[name] ?? '') === wanted) ?? '';
}

const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** Writes cells as a price list with the chosen columns; an empty choice leaves its column out. */
export function writeList(rows: readonly string[][], columns: readonly string[]): string {
  const chosen = columns.flatMap((name, index) => (name === '' ? [] : [{ name, index }]));
  const lines = rows.map((row) => chosen.map(({ index }) => quote(row[index] ?? '')));
  return [chosen.map(({ name }) => quote(name)), ...lines].map((line) => line.join(',')).join('\n');
}
