import { fold } from '../platform/text/index.ts';
import { FIELDS, type Field } from './cells.ts';

/** A column of a price list. */
export type Column = 'unitId' | 'version' | Field;
/** The columns of a price list, in their order. */
export const COLUMNS: Column[] = ['unitId', 'version', ...FIELDS];

/** The columns that name the unit of a row. The first one with a text counts. */
export const NAMING_COLUMNS = ['unitId', 'lotNumber', 'name'] as const;

const BY_KEY = new Map<string, Column>(COLUMNS.map((column) => [toKey(column), column]));

/** The headers of usual price lists and of the console, for each column. */
const USUAL_HEADERS: Partial<Record<Column, string[]>> = {
  lotNumber: ['Lot', 'Lot no'],
  name: ['Unit', 'Unit no', 'Unit number', 'Unit name'],
  unitType: ['Type'],
  bedrooms: ['Beds', 'Bed'],
  bathrooms: ['Baths', 'Bath'],
  carSpaces: ['Cars', 'Car parks', 'Parking'],
  internalAreaSqm: ['Inside m²', 'Internal area', 'Internal m²', 'Internal sqm'],
  externalAreaSqm: ['Outside m²', 'External area', 'External m²', 'External sqm'],
  landAreaSqm: ['Land m²', 'Land area', 'Land sqm'],
  price: ['List price'],
  priceDisplay: ['Text in place of the price'],
};
const BY_USUAL_KEY = new Map(
  COLUMNS.flatMap((column) =>
    (USUAL_HEADERS[column] ?? []).map((header) => [toKey(header), column] as const),
  ),
);

/** Finds the column of each header. Case, blanks, punctuation and brackets do not matter. The name of a column wins over a usual header. */
export function findColumns(headers: string[]): (Column | undefined)[] {
  const keys = headers.map(toKey);
  const named = new Set(keys.map((key) => BY_KEY.get(key)));
  return keys.map((key) => {
    const usual = BY_USUAL_KEY.get(key);
    return BY_KEY.get(key) ?? (named.has(usual) ? undefined : usual);
  });
}

function toKey(header: string): string {
  return fold(header)
    .replace(/\([^()]*\)/g, '')
    .replaceAll('²', '2')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
