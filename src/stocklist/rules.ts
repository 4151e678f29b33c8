import type { Static } from 'typebox';
import {
  cursorInvalid,
  findRepeated,
  invalidRequest,
  makeFingerprint,
  readCursor,
  writeCursor,
  type Fault,
  type ListPlace,
  type RawQuery,
} from '../platform/http/index.ts';
import { isWrittenInstant, parseInstant, restoreOffsetPlus, fold } from '../platform/text/index.ts';
import { PROJECT_STATUSES } from '../projects/index.ts';
import {
  LIST_INCLUDES,
  PROJECT_INCLUDES,
  type ListInclude,
  type ProjectInclude,
} from './includes.ts';
import type { StocklistQuery, StocklistResponse } from './schemas.ts';

/** The filters as they were sent; null for one that was not. The answer repeats them. */
export type Filters = Static<typeof StocklistResponse>['filters'];

export interface StocklistRequest {
  page: number;
  limit: number;
  filters: Filters;
  /** The time of filters.updatedSince in milliseconds. */
  updatedSinceMs: number | null;
  include: ListInclude[];
  /** The project after which a walk continues, in the order of changes. Null when the request has `page` instead. */
  cursor: 'start' | ListPlace | null;
}

/** The filters in the folded form of the columns to which they are compared. */
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
  const include = parseInclude(query, LIST_INCLUDES, faults);
  if (include.includes('removed') && filters.updatedSince === null)
    faults.push(makeFault('include', 'may have removed only with updated_since'));
  const text = readText(query, 'cursor');
  if (text !== null && page > 1) faults.push(makeFault('page', 'must be left out with a cursor'));
  if (faults.length > 0) throw invalidRequest(faults);
  const cursor = text === null || text === 'start' ? text : parseCursor(text, filters);
  return { page, limit: Math.min(limit, MAX_LIMIT), filters, updatedSinceMs, include, cursor };
}

/** Reads the query of GET /projects/:slug, or throws a Problem with every fault in it. */
export function parseProjectQuery(query: RawQuery): { include: ProjectInclude[] } {
  const faults = findRepeated(query);
  const include = parseInclude(query, PROJECT_INCLUDES, faults);
  if (faults.length > 0) throw invalidRequest(faults);
  return { include };
}

/** Reads `include`, a list of names between commas. Returns them in the order of `allowed`. */
function parseInclude<Name extends string>(
  query: RawQuery,
  allowed: readonly Name[],
  faults: Fault[],
): Name[] {
  const names = readText(query, 'include')?.split(',') ?? [];
  if (names.some((name) => !(allowed as readonly string[]).includes(name)))
    faults.push(makeFault('include', `must be ${allowed.join(' or ')}, or several with commas`));
  return allowed.filter((name) => names.includes(name));
}

function parseCursor(text: string, filters: Filters): ListPlace {
  const place = readCursor(text, makeFingerprint(filters), CURSOR_RULE);
  if (typeof place.value === 'string' && isWrittenInstant(place.value)) return place;
  throw cursorInvalid(CURSOR_RULE);
}

const CURSOR_RULE =
  'cursor must be start, or that of the header Link of a page with the same filters.';

/** Makes the path and query of the page that follows a place in a walk. */
export function makeNextPath(request: StocklistRequest, place: ListPlace): string {
  const { filters, limit, include } = request;
  const { updatedSince, ...others } = filters;
  const parameters = {
    ...others,
    updated_since: updatedSince,
    include: include.join(',') || null,
    limit: String(limit),
    cursor: writeCursor(place, makeFingerprint(filters)),
  };
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return `/api/v1/stocklist?${new URLSearchParams(given).toString()}`;
}

/** Reads a parameter. An empty one counts as not sent; `findRepeated` refuses one that was sent twice. */
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
  const timeMs = text === null ? null : parseInstant(restoreOffsetPlus(text));
  if (text !== null && timeMs === null)
    faults.push(makeFault('updated_since', `must be ${DATE_TIME}`));
  return timeMs;
}

const DATE_TIME =
  'an ISO 8601 date-time with Z or an offset, such as 2026-03-31T21:15:09.204Z; write a + as %2B';

function makeFault(parameter: string, rule: string): { parameter: string; detail: string } {
  return { parameter, detail: `${parameter} ${rule}.` };
}

/** Folds the filters in the same way as the columns. An unknown status stays as it is, and matches nothing. */
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
