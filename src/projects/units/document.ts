import type { FastifySchema } from 'fastify';
import { Type, type TObject } from 'typebox';
import {
  answerNoContent,
  answerPage,
  answerRead,
  answerResource,
  describeListQuery,
  IDEMPOTENCY_KEY_FIELD,
  IF_MATCH_FIELD,
  IF_NONE_MATCH_FIELD,
  MERGE_PATCH_TYPES,
  problemResponses,
  RATE_LIMIT_FIELDS,
  REPLAYED_FIELD,
  WITH_BODY,
  type ProblemCode,
} from '../../platform/http/index.ts';
import { describeRowChanges } from '../../events/index.ts';
import type { ShownUnit } from './present.ts';
import { UNIT_LIST, UNIT_OF_PROJECT_LIST } from './filter.ts';

/** The parts of the OpenAPI document on units. */

const tags = ['Units'];
const UNIT_ID = '0195f33f-5d43-7c26-8284-63e7d7d9bfae';
const PROJECT_ID = '0195f33f-5d43-7c26-8284-63e7d7d9bfad';

const UNIT_PARAMS = Type.Object({
  unitId: Type.String({ description: 'The id of a unit.', examples: [UNIT_ID] }),
});
const PROJECT_PARAMS = Type.Object({
  projectId: Type.String({ description: 'The id of a project.', examples: [PROJECT_ID] }),
});

export const UNIT_EXAMPLE: ShownUnit = {
  id: UNIT_ID,
  projectId: PROJECT_ID,
  position: 0,
  name: '3.07',
  lotNumber: 27,
  unitType: 'Apartment',
  status: 'Available',
  level: 3,
  bedrooms: 2,
  bathrooms: 1,
  carSpaces: 1,
  aspect: 'North-west',
  internalAreaSqm: 74.5,
  externalAreaSqm: 11,
  landAreaSqm: null,
  price: 849_000,
  priceDisplay: '$849,000',
  currency: 'NZD',
  floorPlanImage: null,
  createdAt: '2026-11-25T03:04:05.678Z',
  updatedAt: '2026-11-25T03:04:05.678Z',
  etag: '"1"',
};

const FAULT = { pointer: '/price', detail: 'price must be at least 0.' };

function describeList(
  kind: Parameters<typeof describeListQuery>[0],
  codes: ProblemCode[],
): FastifySchema & { querystring: TObject } {
  return {
    querystring: describeListQuery(kind),
    response: {
      ...answerPage('A page of units.', 'StockUnitList', [UNIT_EXAMPLE]),
      ...problemResponses(['cursor_invalid', ...codes], {
        parameter: 'priceMin',
        detail: 'priceMin must be a finite number.',
      }),
    },
  };
}

export const listDocument = {
  operationId: 'listUnits',
  tags,
  summary: 'List units',
  description:
    'The units of all projects of the account that match all filters; drafts, archived projects and withdrawn units, too.',
  ...describeList(UNIT_LIST, []),
};

export const listOfProjectDocument = {
  operationId: 'listUnitsOfProject',
  tags,
  summary: 'List the units of a project',
  params: PROJECT_PARAMS,
  ...describeList(UNIT_OF_PROJECT_LIST, ['project_not_found']),
};

export const showDocument = {
  operationId: 'getUnit',
  tags,
  summary: 'Show a unit',
  params: UNIT_PARAMS,
  headers: IF_NONE_MATCH_FIELD,
  response: {
    ...answerRead('The unit.', 'StockUnit', UNIT_EXAMPLE),
    ...problemResponses(['unit_not_found']),
  },
};

const CREATED_HEADERS = {
  ETag: { type: 'string', description: "The unit's `etag`, when one was sent." },
  Location: { type: 'string', description: 'The path of the unit, when one was sent.' },
  ...REPLAYED_FIELD,
  ...RATE_LIMIT_FIELDS,
};

export const createDocument = {
  operationId: 'createUnits',
  tags,
  summary: 'Create units of a project',
  description:
    'One unit, or up to 1,000 with `units`, all or none. They come after the units that the project has.',
  params: PROJECT_PARAMS,
  headers: IDEMPOTENCY_KEY_FIELD,
  body: Type.Ref('NewUnits#'),
  response: {
    201: {
      description: 'The unit; for `units`, all of them in `data`.',
      headers: CREATED_HEADERS,
      content: {
        'application/json': {
          schema: {
            anyOf: [
              Type.Ref('StockUnit#'),
              Type.Object({ data: Type.Array(Type.Ref('StockUnit#')) }),
            ],
          },
          example: UNIT_EXAMPLE,
        },
      },
    },
    ...problemResponses(
      [
        'project_not_found',
        'media_not_found',
        'idempotency_key_in_use',
        'idempotency_key_reused',
        ...WITH_BODY,
      ],
      FAULT,
    ),
  },
};

export const changeDocument = {
  operationId: 'changeUnit',
  tags,
  summary: 'Change a unit',
  description:
    'Changes the fields that are sent. With `units:hold` alone, a caller can send `status` only, and set it between Available, ' +
    'On Hold and Reserved. A change of `price` leaves `priceDisplay` as it is.',
  consumes: MERGE_PATCH_TYPES,
  params: UNIT_PARAMS,
  headers: IF_MATCH_FIELD,
  body: Type.Ref('UnitChanges#'),
  response: {
    ...answerResource('The unit as it is now.', 'StockUnit', {
      ...UNIT_EXAMPLE,
      price: 865_000,
      priceDisplay: '$865,000',
      etag: '"2"',
    }),
    ...problemResponses(
      ['unit_not_found', 'precondition_failed', 'media_not_found', ...WITH_BODY],
      FAULT,
    ),
  },
};

export const deleteDocument = {
  operationId: 'deleteUnit',
  tags,
  summary: 'Delete a unit',
  description:
    'A unit to which contacts are linked stays: set its status to Withdrawn, so that it is not shown.',
  params: UNIT_PARAMS,
  headers: IF_MATCH_FIELD,
  response: {
    ...answerNoContent('The unit is gone.'),
    ...problemResponses(['unit_not_found', 'in_use', 'precondition_failed', ...WITH_BODY]),
  },
};

export const orderDocument = {
  operationId: 'orderUnits',
  tags,
  summary: 'Put the units of a project in order',
  description: '`If-Match` has the `etag` of the project.',
  params: PROJECT_PARAMS,
  headers: IF_MATCH_FIELD,
  body: Type.Ref('UnitOrder#'),
  response: {
    ...answerNoContent('The units are in this order.'),
    ...problemResponses(
      ['project_not_found', 'not_the_same_units', 'precondition_failed', ...WITH_BODY],
      { pointer: '/unitIds', detail: 'unitIds is required.' },
    ),
  },
};

export const changesDocument = describeRowChanges({
  operationId: 'listUnitChanges',
  summary: 'List the changes of a unit',
  description: 'Which field changed, from what to what, when and by whom. They are kept for good.',
  params: UNIT_PARAMS,
  code: 'unit_not_found',
});
