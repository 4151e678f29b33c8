import type { Static } from 'typebox';
import { invalidRequest, type Fault, findRepeated, type RawQuery } from '../platform/http/index.ts';
import { parseInstant, fold } from '../platform/text/index.ts';
import { PROJECT_STATUSES } from '../projects/index.ts';
import type { StocklistQuery, StocklistResponse } from './schemas.ts';

/** The filters as they were sent, null when not supplied. An answer repeats them. */
export type Filters = Static<typeof StocklistResponse>['filters'];

export interface StocklistRequest {
  page: number;
  limit: number;
  filters: Filters;
  /** The time of filters.updatedSince in milliseconds. */
  updatedSinceMs: number | null;
}

/** The filters in the form in which the columns of projects are compared with them. */
export type FilterKeys = Omit<Filters, 'updatedSince'>;

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const MAX_PAGE = 2 ** 31;

/** Reads the query of GET /stocklist, or throws a Problem with every fault in it. */
export function parseStocklistQuery(query: RawQuery): StocklistRequest {
  const faults = findRepeated(query);
  const page = parseCount(query, 'page', 1, faults);
  const limit = parseCount(query, 'limit', DEFAULT_LIMIT, faults);
  const filters = {
    region: readText(query, 'region'),
    city: readText(query, 'city'),
    suburb: readText(query, 'suburb'),
    status: readText(query, 'status'),
    updatedSince: readText(query, 'updated_since'),
  };
  const updatedSinceMs = parseUpdatedSince(filters.updatedSince, faults);
  if (page > MAX_PAGE) faults.push(makeFault('page', `must be at most ${MAX_PAGE}`));
  if (faults.length > 0) throw invalidRequest(faults);
  return { page, limit: Math.min(limit, MAX_LIMIT), filters, updatedSinceMs };
}

/** Reads a parameter. An empty one counts as not supplied, and `findRepeated` refuses one that was sent twice. */
function readText(query: RawQuery, name: keyof typeof StocklistQuery.properties): string | null {
  const value = query[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function parseCount(
  query: RawQuery,
  name: 'page' | 'limit',
  defaultValue: number,
  faults: Fault[],
): number {
  const value = readText(query, name);
  if (value === null) return defaultValue;
  if (/^\d+$/.test(value) && Number(value) >= 1) return Number(value);
  faults.push(makeFault(name, 'must be a whole number of at least 1, written in digits only'));
  return defaultValue;
}

function parseUpdatedSince(text: string | null, faults: Fault[]): number | null {
  // In a query string an unescaped + is a space: a client sent "+13:00" when " 13:00" arrives.
  const timeMs = text === null ? null : parseInstant(text.replace(/ (?=\d\d(?::?\d\d)?$)/, '+'));
  if (text !== null && timeMs === null)
    faults.push(makeFault('updated_since', `must be ${DATE_TIME}`));
  return timeMs;
}

const DATE_TIME =
  'an ISO 8601 date-time with Z or an offset, such as 2026-03-31T21:15:09.204Z; write a + as %2B';

function makeFault(parameter: string, rule: string): { parameter: string; detail: string } {
  return { parameter, detail: `${parameter} ${rule}.` };
}

/** Folds the filters as the columns are folded. A status that does not exist stays as it is, and so matches nothing. */
export function toFilterKeys({ region, city, suburb, status }: Filters): FilterKeys {
  const folded = (text: string | null): string | null => text && fold(text);
  const statusKey = folded(status);
  return {
    region: folded(region),
    city: folded(city),
    suburb: folded(suburb),
    status: PROJECT_STATUSES.find((each) => fold(each) === statusKey) ?? statusKey,
  };
}
