import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import {
  answerPage,
  answerRead,
  describeListQuery,
  IF_NONE_MATCH_FIELD,
  problemResponses,
} from '../../platform/http/index.ts';
import { ContactFilter } from './filter.ts';
import { CONTACT_SORTS } from './page.ts';

const ID = '0196a24b-34ec-7db6-924f-03249bebad2b';
const tags = ['Contacts'];
export const CONTACT_PARAMS = Type.Object({
  contactId: Type.String({ description: 'The id of a contact.', examples: [ID] }),
});

export const CONTACT_LIST = { filter: ContactFilter, sorts: CONTACT_SORTS };

export const CONTACT_EXAMPLE = {
  id: ID,
  email: 'mereana.pou@example.com',
  firstName: 'Mereana',
  lastName: 'Pou',
  name: 'Mereana Pou',
  phone: '021 555 0123',
  mobilePhone: null,
  companyName: null,
  notes: null,
  source: 'Website',
  sourceExternalOriginalName: null,
  buyerType: 'First Home Buyer',
  budget: 850000,
  referredBy: null,
  addressLine1: null,
  addressLine2: null,
  cityName: 'Wellington',
  regionName: null,
  suburbName: 'Te Aro',
  postalCode: null,
  country: 'New Zealand',
  stateOrProvince: null,
  stage: 'New',
  assignedAccountUserId: null,
  tags: [{ id: '0196a24b-34ed-7302-a3ea-5b2c46f5e0c3', label: 'Hot' }],
  importedAt: '2026-11-25T03:04:05.678Z',
  createdAt: '2026-11-25T03:04:05.678Z',
  updatedAt: '2026-11-25T03:04:05.678Z',
  archivedAt: null,
  lastActivityAt: '2026-11-25T03:04:05.678Z',
  etag: '"1"',
};
export const LINK_EXAMPLE = {
  id: '0196a24b-34ed-7302-a3ea-5b2c46f5e0c4',
  projectId: '0196a24b-34ed-7302-a3ea-5b2c46f5e0c2',
  unitId: null,
  createdAt: '2026-11-25T03:04:05.678Z',
};

export const listDocument: FastifySchema = {
  operationId: 'listContacts',
  summary: 'List contacts',
  description:
    'The contacts of the account that match all filters; without `archived` only active ones. An agent of an account with ' +
    '`agentsSee: own` gets their own contacts and those assigned to nobody.',
  tags,
  querystring: Type.Object({
    ...describeListQuery(CONTACT_LIST).properties,
    include: Type.Optional(
      Type.Enum(['links'], { description: '`links`: each contact with its links to projects.' }),
    ),
  }),
  response: {
    ...answerPage('A page of contacts.', 'ContactList', [CONTACT_EXAMPLE]),
    ...problemResponses(['cursor_invalid'], {
      parameter: 'stage',
      detail: 'stage must be New, Contacted or none.',
    }),
  },
};

export const showDocument: FastifySchema = {
  operationId: 'getContact',
  summary: 'Show a contact',
  description:
    'One contact with its tags and links. With `If-None-Match` of its `ETag` the answer is a 304 without a body.',
  tags,
  params: CONTACT_PARAMS,
  headers: IF_NONE_MATCH_FIELD,
  querystring: Type.Object(
    {
      include: Type.Optional(
        Type.String({
          pattern: '^(activities|provenance)(,(activities|provenance))?$',
          examples: ['activities'],
          description:
            '`activities`, `provenance`, or both with a comma. An answer with them is never a 304.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: {
    ...answerRead('The contact.', 'Contact', { ...CONTACT_EXAMPLE, links: [LINK_EXAMPLE] }),
    ...problemResponses(['contact_not_found'], {
      parameter: 'include',
      detail: 'include must be activities or provenance.',
    }),
  },
};
