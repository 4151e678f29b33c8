import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { describeQuery, problemResponses, RATE_LIMIT_FIELDS } from '../platform/http/index.ts';
import {
  LeadQuery,
  ResponseQuery,
  StockQuery,
  type LeadFigure,
  type ResponseFigure,
  type StockFigure,
} from './schemas.ts';

/** The parts of the OpenAPI document on figures. */

const tags = ['Figures'];

const LEADS: LeadFigure[] = [
  { start: '2026-11-23', group: 'Referral', newContacts: 4, enquiries: 1, refused: 0 },
  { start: '2026-11-23', group: 'Website', newContacts: 17, enquiries: 5, refused: 0 },
  { start: '2026-11-23', group: null, newContacts: 2, enquiries: 0, refused: 1 },
];
const STOCK: StockFigure[] = [
  {
    projectId: '0196a24b-34eb-7c0b-97c5-9f0f5ffb8b28',
    status: 'Available',
    currency: 'NZD',
    count: 9,
    value: 7_640_000,
    priced: 8,
  },
];
const RESPONSES: ResponseFigure[] = [
  {
    userId: '0196a24b-34ed-7302-a3ea-5b2c46f5e0c4',
    contacts: 84,
    answered: 71,
    medianSeconds: 2_940,
  },
];

const answer = (description: string, schema: string, data: object[]) => ({
  200: {
    description,
    headers: RATE_LIMIT_FIELDS,
    content: {
      'application/json': {
        schema: Type.Object({ data: Type.Array(Type.Ref(`${schema}#`)) }),
        example: { data },
      },
    },
  },
});

export const leadsDocument: FastifySchema = {
  operationId: 'countLeads',
  tags,
  summary: 'Count leads by day, week or month',
  description:
    'New contacts, enquiries and refused imports, by source, stage, person or project, each counted by what the contact has now. ' +
    'They equal the counts of the lists with `archived=any`. A contact of two projects counts in both. Without `groupBy` each ' +
    'interval has a figure, with it each group that has leads. The first and the last interval have only their days in the span.',
  querystring: describeQuery(LeadQuery),
  response: {
    ...answer('The figures, in the order of the days.', 'LeadFigure', LEADS),
    ...problemResponses([], {
      parameter: 'from',
      detail: 'from must not be after to, which is 2026-11-25.',
    }),
  },
};

export const stockDocument: FastifySchema = {
  operationId: 'sumStock',
  tags,
  summary: 'Count units by status, with their value',
  description:
    'The units of all projects, or of those that `project` names, whatever their publication. A status of a project has one ' +
    'figure for each currency.',
  querystring: describeQuery(StockQuery),
  response: {
    ...answer('The figures, by project and status.', 'StockFigure', STOCK),
    ...problemResponses([], {
      parameter: 'project',
      detail: 'project may be sent only once.',
    }),
  },
};

export const responseDocument: FastifySchema = {
  operationId: 'measureResponse',
  tags,
  summary: 'Measure the time to the first answer',
  description:
    'For each person, the contacts assigned to them now that were created on these days, and the median of the times to the ' +
    'first call, email, text, meeting or viewing after that. Appointments in the future do not count yet.',
  querystring: describeQuery(ResponseQuery),
  response: {
    ...answer('The figures, by person.', 'ResponseFigure', RESPONSES),
    ...problemResponses([], {
      parameter: 'from',
      detail: 'from must be a date such as 2027-06-30.',
    }),
  },
};
