import {
  answerRead,
  answerResource,
  IF_MATCH_FIELD,
  IF_NONE_MATCH_FIELD,
  MERGE_PATCH_TYPES,
  problemResponses,
  WITH_BODY,
} from '../platform/http/index.ts';
import { Type } from 'typebox';
import type { ShownOrganization } from './schemas.ts';

/** The parts of the OpenAPI document on the organization. */

const EXAMPLE: ShownOrganization = {
  id: '0195ee07-9d5b-7c55-8f10-6a0e8b1f2c3d',
  slug: 'kowhai-lane',
  companyName: 'Kōwhai Lane Limited',
  displayName: 'Kōwhai Lane',
  intro: null,
  email: 'sales@kowhailane.example',
  phone: null,
  location: 'Auckland, New Zealand',
  websiteUrl: 'https://kowhailane.example',
  logoImage: null,
  agentsSee: 'all',
  timeZone: 'Pacific/Auckland',
  defaultCurrency: 'NZD',
  secondStepFor: 'nobody',
  etag: '"3"',
};

export const showDocument = {
  operationId: 'getOrganization',
  tags: ['Settings'],
  summary: 'Show the organization and the settings of the account',
  headers: IF_NONE_MATCH_FIELD,
  response: {
    ...answerRead('The organization.', 'OrganizationSettings', EXAMPLE),
    ...problemResponses([]),
  },
};

export const changeDocument = {
  operationId: 'changeOrganization',
  tags: ['Settings'],
  summary: 'Change the organization or the settings of the account',
  description:
    'Only owners may change them, and API keys with the scope. The people whom `secondStepFor` names can do nothing else until ' +
    'their second step is on.',
  consumes: MERGE_PATCH_TYPES,
  headers: IF_MATCH_FIELD,
  body: Type.Ref('OrganizationChanges#'),
  response: {
    ...answerResource('The organization as it is now.', 'OrganizationSettings', {
      ...EXAMPLE,
      etag: '"4"',
    }),
    ...problemResponses(
      ['confirmation_required', 'precondition_failed', 'media_not_found', ...WITH_BODY],
      {
        pointer: '/timeZone',
        detail: 'timeZone must be an IANA time zone such as Pacific/Auckland.',
      },
    ),
  },
};
