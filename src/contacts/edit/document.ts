import { Type } from 'typebox';
import {
  answerNoContent,
  answerResource,
  IF_MATCH_FIELD,
  MERGE_PATCH_TYPES,
  problemResponses,
  RATE_LIMIT_FIELDS,
  WITH_BODY,
} from '../../platform/http/index.ts';
import { CONTACT_EXAMPLE, CONTACT_PARAMS, LINK_EXAMPLE } from '../list/document.ts';

/** The parts of the OpenAPI document on changing contacts. */

const tags = ['Contacts'];
const CHANGED = { ...CONTACT_EXAMPLE, links: [LINK_EXAMPLE], stage: 'Qualified', etag: '"2"' };

const NO_MEMBERS = Type.Object({}, { additionalProperties: false });

export const changeDocument = {
  operationId: 'changeContact',
  tags,
  summary: 'Change a contact',
  description:
    'Changes the fields that are sent. An agent can assign a contact to themselves or to nobody. With `If-Match`, two callers ' +
    'who change the same version do not overwrite each other.',
  consumes: MERGE_PATCH_TYPES,
  params: CONTACT_PARAMS,
  headers: IF_MATCH_FIELD,
  body: Type.Ref('ContactChanges#'),
  response: {
    ...answerResource('The contact as it is now.', 'Contact', CHANGED),
    ...problemResponses(
      [
        'contact_not_found',
        'assignment_not_allowed',
        'precondition_failed',
        'email_in_use',
        'user_not_active',
        ...WITH_BODY,
      ],
      {
        pointer: '/stage',
        detail:
          'stage must be New, Contacted, Qualified, Viewing, Reserved, Under Contract, Settled, Nurture, Lost or null.',
      },
    ),
  },
};

const actionDocument = (example: object) => ({
  tags,
  params: CONTACT_PARAMS,
  headers: IF_MATCH_FIELD,
  body: NO_MEMBERS,
  response: {
    ...answerResource('The contact as it is now.', 'Contact', example),
    ...problemResponses(['contact_not_found', 'precondition_failed', ...WITH_BODY]),
  },
});

export const archiveDocument = {
  operationId: 'archiveContact',
  summary: 'Archive a contact',
  description: 'An import that finds an archived contact makes it active again.',
  ...actionDocument({ ...CHANGED, archivedAt: '2026-11-25T03:04:05.678Z' }),
};

export const restoreDocument = {
  operationId: 'restoreContact',
  summary: 'Make an archived contact active',
  ...actionDocument(CHANGED),
};

export const tagsDocument = {
  operationId: 'changeContactTags',
  tags,
  summary: 'Add and remove tags of a contact',
  params: CONTACT_PARAMS,
  body: Type.Ref('TagChanges#'),
  response: {
    ...answerResource('The contact as it is now.', 'Contact', CHANGED),
    ...problemResponses(['contact_not_found', ...WITH_BODY], {
      pointer: '/add/0',
      detail: 'Each item of add must be a label of 1 to 100 characters.',
    }),
  },
};

const link = (description: string, headers = {}) => ({
  description,
  headers: { ...headers, ...RATE_LIMIT_FIELDS },
  content: { 'application/json': { schema: Type.Ref('ContactLink#'), example: LINK_EXAMPLE } },
});

export const linkDocument = {
  operationId: 'linkContact',
  tags,
  summary: 'Link a contact to a project or unit',
  description: 'Drafts can be linked, too; archived projects and withdrawn units cannot.',
  params: CONTACT_PARAMS,
  body: Type.Ref('NewLink#'),
  response: {
    200: link('The link, which existed already.'),
    201: link('The new link.', {
      Location: { type: 'string', description: 'The path of the link.' },
    }),
    ...problemResponses(
      ['contact_not_found', 'project_not_available', 'unit_not_in_project', ...WITH_BODY],
      { pointer: '/projectId', detail: 'projectId is required.' },
    ),
  },
};

const LINK_PARAMS = Type.Object({
  ...CONTACT_PARAMS.properties,
  linkId: Type.String({
    description: 'The id of a link of the contact.',
    examples: [LINK_EXAMPLE.id],
  }),
});

export const showLinkDocument = {
  operationId: 'showContactLink',
  tags,
  summary: 'Show a link of a contact',
  params: LINK_PARAMS,
  response: {
    200: link('The link.'),
    ...problemResponses(['contact_not_found', 'link_not_found']),
  },
};

export const unlinkDocument = {
  operationId: 'unlinkContact',
  tags,
  summary: 'Remove a link of a contact',
  params: LINK_PARAMS,
  response: {
    ...answerNoContent('The link is gone.'),
    ...problemResponses(['contact_not_found', 'link_not_found', ...WITH_BODY]),
  },
};
