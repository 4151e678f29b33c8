import { Type, type TObject } from 'typebox';
import { orNull } from '../fields/index.ts';
import { COUNT_MAX } from './list-page.ts';
import { LIMIT_DEFAULT, LIMIT_MAX, type ListKind } from './list-query.ts';
import { describeQuery } from './parameters.ts';

/* The parts of the OpenAPI document that all lists share. */

/** Describes the parameters of the filter and the sort for the OpenAPI document. */
export function describeSelection({ filter, sorts }: ListKind<TObject>): TObject {
  return Type.Object({
    ...describeQuery(filter).properties,
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
        description: `How many items a page has, at most ${limitMax}; ${LIMIT_DEFAULT} without it. A page of long items has fewer.`,
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
    nextCursor: orNull('string', 'Send it as `cursor` for the next page; null on the last one.'),
    hasNextPage: Type.Boolean({ examples: [false] }),
    totalCount: Type.Optional(
      Type.Integer({ description: 'How many items match; only with `count=true`.' }),
    ),
    totalCountIsExact: Type.Optional(
      Type.Boolean({ description: `Whether \`totalCount\` is exact: false above ${COUNT_MAX}.` }),
    ),
  },
  { $id: 'Pagination', description: 'The place of a page in its list.' },
);

/** Describes a page of a list whose items have the schema `item`. */
export function describePage(item: string, description: string, $id = `${item}List`) {
  return Type.Object(
    { data: Type.Array(Type.Ref(`${item}#`)), pagination: Type.Ref('Pagination#') },
    { $id, description },
  );
}
