import type { Static, TObject } from 'typebox';
import { makeFingerprint, readCursor, type ListPlace } from './list-cursor.ts';
import { createParameterReader } from './parameters.ts';
import type { Fault } from './problems.ts';
import { makeParameterFault, refuseRepeated, type RawQuery } from './query.ts';

/*
 * All lists take the same query: one parameter for each field of the filter, `sort`, `limit`, an opaque `cursor`, and
 * `count`. A TypeBox schema declares the filter. Where it declares an array, the parameter takes several values, separated by
 * commas.
 */

export const LIMIT_DEFAULT = 20;
export const LIMIT_MAX = 100;

/** Declares the filter and the sorts that a list accepts. The first of `sorts` is the default. */
export interface ListKind<Filter extends TObject> {
  filter: Filter;
  sorts: readonly [string, ...string[]];
  /** The most rows of a page; 100 by default. */
  limitMax?: number;
}

/** The filter and the sort of a request, as a list or an export reads them. */
export interface ListSelection<Filter> {
  filter: Filter;
  /** The name of a sort field; `-` before it means descending. */
  sort: string;
  /** A hash of the sort and the filter. */
  fingerprint: string;
}

/** A page that a request asks for. */
export interface ListQuery<Filter> extends ListSelection<Filter> {
  limit: number;
  /** The position after which the page begins; null for the first page. */
  after: ListPlace | null;
  /** Whether the answer counts all rows that match. */
  isCounted: boolean;
  /** The parameter `include`, in a list that declares it: the members to add to each row. */
  include?: string | undefined;
}

/** A parameter that is neither a filter nor the sort: the texts that are valid, and the rule that a refusal quotes. */
interface FurtherParameter {
  values: RegExp;
  rule: string;
}

const PAGE_PARAMETERS = {
  limit: {
    values: /^0*[1-9]\d*$/,
    rule: 'must be a whole number of at least 1, written in digits only.',
  },
  // `readCursor` checks it.
  cursor: { values: /^/, rule: '' },
  count: { values: /^(true|false)$/, rule: 'must be true or false.' },
};

/** Creates the function that reads the query of a list. It throws a 400 that names each fault. */
export function createListReader<Filter extends TObject>(
  kind: ListKind<Filter>,
  own: Record<string, FurtherParameter> = {},
) {
  const readSelection = createSelectionReader<Filter, string>(kind, {
    ...PAGE_PARAMETERS,
    ...own,
  });

  return (raw: RawQuery): ListQuery<Static<Filter>> => {
    const { further, ...selection } = readSelection(raw);
    const { limit = LIMIT_DEFAULT, cursor, count, include } = further;
    return {
      ...selection,
      limit: Math.min(Number(limit), kind.limitMax ?? LIMIT_MAX),
      after: cursor === undefined ? null : readCursor(cursor, selection.fingerprint),
      isCounted: count === 'true',
      include,
    };
  };
}

/**
 * Creates the function that reads the filter, the sort and the `furtherParameters` of a query. It throws a 400 that names each
 * fault.
 */
export function createSelectionReader<Filter extends TObject, Name extends string>(
  { filter: schema, sorts }: ListKind<Filter>,
  furtherParameters: Record<Name, FurtherParameter>,
) {
  const isFurther = (name: string) => Object.hasOwn(furtherParameters, name);
  const names = [...Object.keys(schema.properties), 'sort', ...Object.keys(furtherParameters)];
  const readFilter = createParameterReader(schema, names);
  const properties = schema.properties as Record<string, { default?: unknown }>;

  function findFurtherFaults(further: Record<string, string>): Fault[] {
    const declared = Object.entries<FurtherParameter>(furtherParameters);
    return declared.flatMap(([name, { values, rule }]) => {
      const text = further[name];
      return text === undefined || values.test(text) ? [] : makeParameterFault(name, rule);
    });
  }

  return (
    raw: RawQuery,
  ): ListSelection<Static<Filter>> & { further: Partial<Record<Name, string>> } => {
    refuseRepeated(raw);
    const { sort = sorts[0], ...parameters } = raw as Record<string, string>;
    const { further = [], others = [] } = Object.groupBy(Object.entries(parameters), ([name]) =>
      isFurther(name) ? 'further' : 'others',
    );
    const furtherTexts = Object.fromEntries(further);
    const rule = `must be ${sorts.join(' or ')}.`;
    const filter = readFilter(Object.fromEntries(others), [
      ...(sorts.includes(sort) ? [] : [makeParameterFault('sort', rule)]),
      ...findFurtherFaults(furtherTexts),
    ]);
    // A default that is written out selects the same rows.
    const values = Object.entries(filter)
      .filter(([name, value]) => value !== properties[name]?.default)
      .map((each) => JSON.stringify(each));
    return {
      filter,
      sort,
      fingerprint: makeFingerprint([sort, values.toSorted()]),
      further: furtherTexts as Partial<Record<Name, string>>,
    };
  };
}
