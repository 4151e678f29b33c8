import { createHash } from 'node:crypto';
import type { ValidateFunction } from 'ajv';
import { Type, type Static, type TObject } from 'typebox';
import { createValidator, findFaults } from '../fields/index.ts';
import { isUuid } from '../text/index.ts';
import { describeParameter, parseValue, type ParameterSchema } from './parameters.ts';
import { invalidRequest, Problem, type Fault } from './problems.ts';
import { findRepeated, makeParameterFault, type RawQuery } from './query.ts';

/*
 * The conventions of all lists: flat filter parameters, `sort`, `limit`, an opaque `cursor` and `count`. The schema of a
 * filter declares its parameters. A parameter whose schema is an array takes several values, separated by commas.
 */

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;
/** Counting stops here; a larger count is not exact. */
export const COUNT_MAX = 10_000;

/** Declares the filter and the sorts that a list accepts. The first of `sorts` is the default. */
interface ListKind<Filter extends TObject> {
  filter: Filter;
  sorts: readonly [string, ...string[]];
  /** The most rows of a page; 100 without it. */
  limitMax?: number;
}

/** The place in a list after which a page begins: the last row's sort value and id. */
export interface ListPlace {
  value: string | number | null;
  id: string;
}

/** The rows that a request asks for, and their order. */
export interface ListSelection<Filter> {
  filter: Filter;
  sort: string;
  /** A hash of the sort and the filter. A cursor contains it, so that it works only with these. */
  fingerprint: string;
}

/** A page that a request asks for. */
export interface ListQuery<Filter> extends ListSelection<Filter> {
  limit: number;
  after: ListPlace | null;
  isCounted: boolean;
}

/** A parameter beside the filter and the sort: its values, and the rule that a refusal tells. */
interface FurtherParameter {
  values: RegExp;
  rule: string;
}

const PAGE_PARAMETERS = {
  limit: {
    values: /^0*[1-9]\d*$/,
    rule: 'must be a whole number of at least 1, written in digits only.',
  },
  cursor: { values: /^/, rule: '' },
  count: { values: /^(true|false)$/, rule: 'must be true or false.' },
};

/** Creates the function that reads the query of a list. It throws a 400 that names each fault. */
export function createListReader<Filter extends TObject>(kind: ListKind<Filter>) {
  const readSelection = createSelectionReader(kind, PAGE_PARAMETERS);

  return (raw: RawQuery): ListQuery<Static<Filter>> => {
    const { further, ...selection } = readSelection(raw);
    const { limit = LIMIT_DEFAULT, cursor, count } = further;
    return {
      ...selection,
      limit: Math.min(Number(limit), kind.limitMax ?? LIMIT_MAX),
      after: cursor === undefined ? null : readCursor(cursor, selection.fingerprint),
      isCounted: count === 'true',
    };
  };
}

/**
 * Creates the function that reads the filter and the sort of a query, with further parameters. It throws a 400 that names
 * each fault.
 */
export function createSelectionReader<Filter extends TObject, Name extends string>(
  { filter, sorts }: ListKind<Filter>,
  furtherParameters: Record<Name, FurtherParameter>,
) {
  // Compiled at the first request, so that a start does not wait.
  let validate: ValidateFunction | undefined;
  const properties = filter.properties as Record<string, ParameterSchema>;
  const further = Object.entries<FurtherParameter>(furtherParameters);
  const names = [...Object.keys(properties), 'sort', ...Object.keys(furtherParameters)];

  return (
    raw: RawQuery,
  ): ListSelection<Static<Filter>> & { further: Partial<Record<Name, string>> } => {
    const repeated = findRepeated(raw);
    if (repeated.length > 0) throw invalidRequest(repeated);
    const { sort = sorts[0], ...parameters } = raw as Record<string, string>;
    const isFurther = (name: string) => Object.hasOwn(furtherParameters, name);
    const values = Object.entries(parameters)
      .filter(([name]) => !isFurther(name))
      .map(([name, text]) => [name, parseValue(properties[name], text)]);
    const found: unknown = Object.fromEntries(values);
    const unknown = Object.keys(parameters).filter((name) => !names.includes(name));
    const invalid = further.filter(([name, { values: allowed }]) => {
      const text = parameters[name];
      return text !== undefined && !allowed.test(text);
    });
    const faults: Fault[] = [
      ...unknown.map((name) =>
        makeParameterFault(name, `is no parameter here; use ${names.join(', ')}.`),
      ),
      ...(sorts.includes(sort)
        ? []
        : [makeParameterFault('sort', `must be ${sorts.join(' or ')}.`)]),
      ...invalid.map(([name, { rule }]) => makeParameterFault(name, rule)),
    ];
    validate ??= createValidator().compile(filter);
    if (faults.length === 0 && !validate(found))
      for (const { pointer, detail } of findFaults(validate.errors))
        faults.push(makeParameterFault(pointer.split('/')[1] ?? '', detail));
    if (faults.length > 0) throw invalidRequest(faults);
    return {
      filter: found as Static<Filter>,
      sort,
      fingerprint: makeFingerprint([sort, values.map((each) => JSON.stringify(each)).toSorted()]),
      further: Object.fromEntries(
        Object.entries(parameters).filter(([name]) => isFurther(name)),
      ) as Partial<Record<Name, string>>,
    };
  };
}

/** A short text that tells a sort and a filter from others. */
export const makeFingerprint = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 8);

/** Writes a place as a cursor, which works only with the same fingerprint. */
export function writeCursor({ value, id }: ListPlace, fingerprint: string): string {
  return Buffer.from(JSON.stringify([fingerprint, value, id])).toString('base64url');
}

/** Reads a cursor. Throws a 400, with this rule, when another list, sort or filter made it. */
export function readCursor(cursor: string, fingerprint: string, rule?: string): ListPlace {
  const [own, value, id] = parseCursor(cursor);
  const isValue = value === null || typeof value === 'string' || typeof value === 'number';
  if (own === fingerprint && isValue && typeof id === 'string' && isUuid(id)) return { value, id };
  throw cursorInvalid(rule);
}

/** The 400 of a cursor that this list did not make. */
export function cursorInvalid(
  rule = 'cursor must be the nextCursor of a page with the same sort and filter.',
): Problem {
  return new Problem('cursor_invalid', rule);
}

function parseCursor(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

/** The rows that a list found, one more than the limit when there is a next page, and their count if it was asked for. */
interface FoundRows<Row> {
  rows: Row[];
  /** At most one more than `COUNT_MAX`. */
  count?: number | undefined;
}

/** Makes the body of a list. `placeOf` gives the sort value and the id of a row, and `present` its resource. */
export function presentList<Row, Resource>(
  { limit, fingerprint }: ListQuery<unknown>,
  { rows, count }: FoundRows<Row>,
  placeOf: (row: Row) => ListPlace,
  present: (row: Row) => Resource,
) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasNextPage = rows.length > limit;
  return {
    data: page.map(present),
    pagination: {
      limit,
      nextCursor:
        hasNextPage && last !== undefined ? writeCursor(placeOf(last), fingerprint) : null,
      hasNextPage,
      ...(count !== undefined && {
        totalCount: Math.min(count, COUNT_MAX),
        totalCountIsExact: count <= COUNT_MAX,
      }),
    },
  };
}

/**
 * Sorts all rows that match a filter, and cuts the page out of them that a query asks for. For lists of some hundred rows,
 * which are read whole.
 */
export function cutPage<Row>(
  matching: Row[],
  { sort, limit, after, isCounted }: ListQuery<unknown>,
  placeOf: (row: Row) => ListPlace,
): FoundRows<Row> {
  const isDescending = sort.startsWith('-');
  const compare = (a: ListPlace, b: ListPlace): number =>
    isDescending ? comparePlaces(b, a) : comparePlaces(a, b);
  const rows = matching
    .filter((row) => after === null || compare(placeOf(row), after) > 0)
    .toSorted((a, b) => compare(placeOf(a), placeOf(b)));
  return { rows: rows.slice(0, limit + 1), ...(isCounted && { count: matching.length }) };
}

function comparePlaces(a: ListPlace, b: ListPlace): number {
  const [one, other] = a.value === b.value ? [a.id, b.id] : [a.value ?? '', b.value ?? ''];
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Describes the parameters of the filter and the sort for the OpenAPI document. */
export function describeSelection({ filter, sorts }: ListKind<TObject>): TObject {
  const filters = Object.entries(filter.properties).map(([name, schema]) => [
    name,
    describeParameter(schema),
  ]);
  return Type.Object({
    ...Object.fromEntries(filters),
    sort: Type.Optional(Type.Enum([...sorts], { description: 'The order; `-` is descending.' })),
  });
}

/** Describes the parameters of a list for the OpenAPI document. */
export function describeListQuery(kind: ListKind<TObject>): TObject {
  const { limitMax = LIMIT_MAX } = kind;
  return Type.Object({
    ...describeSelection(kind).properties,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: `How many items a page has, at most ${limitMax}; ${LIMIT_DEFAULT} without it.`,
        examples: [20],
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        description: 'The `nextCursor` of the page before, with the same sort and filter.',
      }),
    ),
    count: Type.Optional(
      Type.Boolean({
        description: `With \`true\` the pagination has \`totalCount\`, up to ${COUNT_MAX}.`,
      }),
    ),
  });
}

/** The `pagination` of a list. */
export const Pagination = Type.Object(
  {
    limit: Type.Integer({ examples: [20] }),
    nextCursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Send it as `cursor` for the next page; null on the last one.',
    }),
    hasNextPage: Type.Boolean({ examples: [false] }),
    totalCount: Type.Optional(Type.Integer({ description: 'With `count=true`.' })),
    totalCountIsExact: Type.Optional(Type.Boolean({ description: `false above ${COUNT_MAX}.` })),
  },
  { $id: 'Pagination', description: 'The place of a page in its list.' },
);
