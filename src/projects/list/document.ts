import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { describeRowChanges } from '../../events/index.ts';
import {
  answerPage,
  answerRead,
  describeListQuery,
  IF_NONE_MATCH_FIELD,
  problemResponses,
} from '../../platform/http/index.ts';
import { PROJECT_LIST } from './filter.ts';

/** The parts of the OpenAPI document on reading projects. */

const ID = '0196a24b-34ec-7db6-924f-03249bebad2a';
const tags = ['Projects'];
export const PROJECT_PARAMS = Type.Object({
  projectId: Type.String({ description: 'The id of a project.', examples: [ID] }),
});

export const PROJECT_EXAMPLE = {
  id: ID,
  slug: 'harakeke-rise',
  name: 'Harakeke Rise',
  publication: 'live',
  status: 'Available',
  developmentDescription: 'Forty-two apartments above the river.',
  estimatedCompletionDate: '2028-03-31T00:00:00.000Z',
  addressLine1: '18 Harakeke Street',
  addressLine2: null,
  postalCode: '0110',
  latitude: -35.7251,
  longitude: 174.3237,
  cityName: 'Whangārei',
  regionName: 'Northland',
  regionSlug: 'northland',
  suburbName: 'Regent',
  projectWebsiteUrl: 'https://harakeke-rise.example',
  heroImage: {
    key: 'harakeke-rise/hero.jpg',
    url: 'https://crm.example.com/media/harakeke-rise/hero.jpg',
    alt: 'The building from the river',
    width: null,
    height: null,
  },
  galleryImages: [],
  relatedProjectIds: [],
  unitCount: 42,
  availableUnitCount: 30,
  unitCounts: { Available: 30, Reserved: 12 },
  priceFrom: 690000,
  priceTo: 1250000,
  priceCurrency: 'NZD',
  createdAt: '2026-11-25T03:04:05.678Z',
  updatedAt: '2026-11-25T03:04:05.678Z',
  etag: '"1"',
};

export const listDocument: FastifySchema = {
  operationId: 'listStockProjects',
  summary: 'List projects',
  description:
    'The projects of the account that match all filters: drafts and archived ones, too. `GET /stocklist` is the list for websites.',
  tags,
  querystring: describeListQuery(PROJECT_LIST),
  response: {
    ...answerPage('A page of projects.', 'ProjectList', [PROJECT_EXAMPLE]),
    ...problemResponses(['cursor_invalid'], {
      parameter: 'publication',
      detail: 'publication must be draft, live or archived.',
    }),
  },
};

export const showDocument: FastifySchema = {
  operationId: 'getStockProject',
  summary: 'Show a project',
  description:
    'One project with the counts and prices of its units. With `If-None-Match` of its `ETag` the answer is a 304 without a body.',
  tags,
  params: PROJECT_PARAMS,
  headers: IF_NONE_MATCH_FIELD,
  response: {
    ...answerRead('The project.', 'Project', PROJECT_EXAMPLE),
    ...problemResponses(['project_not_found'], {
      parameter: 'limit',
      detail: 'limit is not a parameter here.',
    }),
  },
};

export const changesDocument: FastifySchema = describeRowChanges({
  operationId: 'listStockProjectChanges',
  summary: 'List the changes of a project',
  description:
    'Which field changed, from what to what, when and by whom. The changes of its units are in the lists of the units.',
  params: PROJECT_PARAMS,
  code: 'project_not_found',
});
