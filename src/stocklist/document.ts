import type { FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import {
  IF_NONE_MATCH_FIELD,
  problemResponses,
  RATE_LIMIT_FIELDS,
} from '../platform/http/index.ts';
import {
  ProjectParams,
  ProjectQuery,
  ProjectResponse,
  ref,
  STOCKLIST_SCHEMAS,
  StocklistQuery,
  StocklistResponse,
} from './schemas.ts';

function contentOf(schema: TSchema): object {
  return { 'application/json': { schema: ref(schema), example: makeExample(schema) } };
}

const etag = {
  type: 'string',
  description: 'Send it back in `If-None-Match`: if the answer has not changed, it is a 304.',
};

const stocklistRevision = {
  type: 'string',
  description:
    "The same until something in the account's stock changes. A client that sees another value on a later page should start again.",
};

const PROJECT_HEADERS = { ETag: etag, ...RATE_LIMIT_FIELDS };
const STOCKLIST_HEADERS = {
  'Stocklist-Revision': stocklistRevision,
  Link: {
    type: 'string',
    description: 'With `cursor`: the next page, as `<…>; rel="next"`; none on the last one.',
  },
  ...PROJECT_HEADERS,
};

function notModified(headers: object): object {
  return { type: 'null', description: 'Not changed since the ETag in `If-None-Match`.', headers };
}

/** Describes GET /stocklist in the OpenAPI document. */
export const stocklistDocument: FastifySchema = {
  operationId: 'listStocklist',
  tags: ['Stock'],
  summary: "List the projects on the account's stocklist",
  description: `Live projects with their units, a page at a time. The most recently changed comes first.

Filters compare whole values, ignoring case, diacritical marks (\`whangarei\` finds Whangārei) and repeated spaces. One that matches nothing gives an empty page. A parameter that is empty counts as not supplied, one that is unknown is ignored, and one that is sent twice is refused.

To follow changes, ask with the largest \`updatedAt\` that you have seen as \`updated_since\`: no change is missed, and none is returned twice.`,
  querystring: StocklistQuery,
  headers: IF_NONE_MATCH_FIELD,
  response: {
    200: {
      description: 'A page of the stocklist.',
      headers: STOCKLIST_HEADERS,
      content: contentOf(StocklistResponse),
    },
    304: notModified(STOCKLIST_HEADERS),
    ...problemResponses([], {
      parameter: 'limit',
      detail: 'limit must be a whole number of at least 1, written in digits only.',
    }),
  },
};

/** Describes GET /projects/{slug} in the OpenAPI document. */
export const projectDocument: FastifySchema = {
  operationId: 'getProject',
  tags: ['Stock'],
  summary: 'Read one project',
  description:
    "Everything about a live project of the account. An unknown slug, a project that is not live and another account's project all get the same 404.",
  params: ProjectParams,
  querystring: ProjectQuery,
  headers: IF_NONE_MATCH_FIELD,
  response: {
    200: {
      description: 'The project.',
      headers: PROJECT_HEADERS,
      content: contentOf(ProjectResponse),
    },
    304: notModified(PROJECT_HEADERS),
    ...problemResponses(['project_not_found', 'route_not_found'], {
      parameter: 'page',
      detail: 'page may be sent only once.',
    }),
  },
};

interface Schema {
  $ref?: string;
  anyOf?: TSchema[];
  enum?: unknown[];
  examples?: unknown[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
}

/** Makes the example of an answer from the examples of its fields. A nullable field without an example is null. */
function makeExample(schema: TSchema): unknown {
  const { $ref, anyOf, enum: values, examples = values, items, properties }: Schema = schema;
  const named: (TSchema & { $id?: string })[] = STOCKLIST_SCHEMAS;
  const [first] = anyOf ?? named.filter(({ $id }) => `${$id}#` === $ref);
  if (first !== undefined) return makeExample(first);
  if (items !== undefined) return [makeExample(items)];
  if (properties === undefined || examples !== undefined) return examples?.[0] ?? null;
  const fields = Object.entries(properties);
  return Object.fromEntries(fields.map(([field, value]) => [field, makeExample(value)]));
}
