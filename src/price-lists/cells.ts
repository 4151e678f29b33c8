import { UNIT_STATUSES, UNIT_TYPES, type Unit } from '../projects/index.ts';
import {
  createListedFinder,
  guardCell,
  quoteCell,
  rewriteAsNumber,
  unguardCell,
  withPoint,
} from '../platform/text/index.ts';
import { shortenName } from '../platform/http/index.ts';
import { parseNumber } from './numbers.ts';

/** Formats the value of a cell, without the quotes of CSV. A text that a spreadsheet would take for a formula is escaped. */
function formatValue(value: string | number | null): string {
  return typeof value === 'string' ? guardCell(value) : String(value ?? '');
}

/** Formats a line of CSV (RFC 4180). */
export const formatLine = (values: (string | number | null)[]): string =>
  `${values.map((value) => quoteCell(formatValue(value))).join(',')}\r\n`;

/**
 * Returns whether a cell has the value of a unit. A spreadsheet may have changed the line ends, or have read a text as a number:
 * `3.10` becomes `3.1`.
 */
export function isSameCell(cell: string, value: string | number | null): boolean {
  const toLines = (text: string) => text.replace(/\r\n?/g, '\n');
  const text = unguardCell(cell);
  return (
    toLines(text) === toLines(String(value ?? '')) ||
    (typeof value === 'string' && couldBeRewrittenAs(value, text))
  );
}

/** Returns whether a spreadsheet that reads `text` as a number could write `written` in its place: `3.1` for `3.10`. */
const couldBeRewrittenAs = (text: string, written: string): boolean =>
  rewriteAsNumber(text) === withPoint(written);

/** The value of a cell, or the rule that it breaks. */
type ReadCell = { value: string | number | null } | { rule: string };

type CellReader = (text: string, stored: Unit, hasDecimalComma: boolean) => ReadCell;

const readText: CellReader = (text) => ({ value: text });

const readNumber: CellReader = (text, _stored, hasDecimalComma) => {
  const value = parseNumber(text, hasDecimalComma);
  return value === null
    ? { rule: 'must be a number that means one thing, such as 849000 or 74.5; or empty.' }
    : { value };
};

/** Matches a price that may be a whole number of thousands or millions, or a fraction: `849.000` and `2,5`. */
const UNCLEAR_PRICE = /^\D*\d{1,3}(?:\.\d{3}|,\d{1,2})\D*$/;

const readPrice: CellReader = (text, stored, hasDecimalComma) => {
  const [, amount = text, unit] = /^(.*\d)\s*([km])$/i.exec(text.trim()) ?? [];
  const isUnclear = !hasDecimalComma && UNCLEAR_PRICE.test(amount);
  const read = readNumber(isUnclear ? '' : amount, stored, hasDecimalComma);
  if ('value' in read && unit !== undefined)
    return { value: Number(`${read.value}${unit.toLowerCase() === 'k' ? 'e3' : 'e6'}`) };
  return 'value' in read
    ? read
    : {
        rule: 'must be a number that means one thing, such as 849000; or empty, with a text such as POA in priceDisplay.',
      };
};

/** Creates the reader of a lot or a level, which keeps the kind of the stored value: `27` stays a number where it is one. */
const readTextOrNumber =
  (field: 'lotNumber' | 'level'): CellReader =>
  (text, stored) => {
    const isNumber = typeof stored[field] !== 'string' && /^(?:0|[1-9]\d{0,14})$/.test(text);
    return { value: isNumber ? Number(text) : text };
  };

const list = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Formats alternatives as "A, B or C". */
export const formatAlternatives = (values: readonly string[]): string => list.format(values);

function readListed(values: readonly string[]): CellReader {
  const find = createListedFinder(values);
  const rule = `must be ${formatAlternatives(values)}`;
  return (text) => {
    const value = find(text);
    return value === undefined ? { rule: `${rule}, not "${shortenName(text)}".` } : { value };
  };
}

/** The readers of the cells of each field, in the order of the columns. A price list has all fields of a unit but its picture. */
const READERS = {
  lotNumber: readTextOrNumber('lotNumber'),
  name: readText,
  unitType: readListed(UNIT_TYPES),
  status: readListed(UNIT_STATUSES),
  level: readTextOrNumber('level'),
  bedrooms: readNumber,
  bathrooms: readNumber,
  carSpaces: readNumber,
  aspect: readText,
  internalAreaSqm: readNumber,
  externalAreaSqm: readNumber,
  landAreaSqm: readNumber,
  price: readPrice,
  priceDisplay: readText,
  currency: readText,
} satisfies Record<
  keyof Omit<Unit, 'id' | 'projectId' | 'position' | 'floorPlanImage'>,
  CellReader
>;

/** A column with values of a unit. */
export type Field = keyof typeof READERS;
export const FIELDS = Object.keys(READERS) as Field[];

/** Reads the cell of a unit's field. A blank cell empties the field if the field may be empty. */
export function readCell(
  field: Field,
  cell: string,
  stored: Unit,
  hasDecimalComma: boolean,
): ReadCell {
  const text = unguardCell(cell);
  if (text.trim() !== '') return READERS[field](text, stored, hasDecimalComma);
  const isRequired = field === 'name' || field === 'status';
  return isRequired
    ? { rule: 'must not be empty; leave its column out to keep it.' }
    : { value: null };
}
