import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import {
  answerNoContent,
  answerPage,
  answerCreated,
  answerRead,
  answerResource,
  describeListQuery,
  IDEMPOTENCY_KEY_FIELD,
  IF_MATCH_FIELD,
  IF_NONE_MATCH_FIELD,
  MERGE_PATCH_TYPES,
  problemResponses,
  WITH_BODY,
} from '../../platform/http/index.ts';
import { CONTACT_PARAMS } from '../list/document.ts';
import type { ShownActivity } from './present.ts';
import { ACTIVITY_SORTS, ActivityFilter, ContactActivityFilter } from './schemas.ts';

const tags = ['Activities'];
const CONTACT_ID = '0196a24b-34ec-7db6-924f-03249bebad2b';

export const ACTIVITY_LIST = { filter: ActivityFilter, sorts: ACTIVITY_SORTS };
export const CONTACT_ACTIVITY_LIST = { filter: ContactActivityFilter, sorts: ACTIVITY_SORTS };

export const ACTIVITY_EXAMPLE: ShownActivity = {
  id: '0196a24b-34ed-7302-a3ea-5b2c46f5e0c5',
  contactId: CONTACT_ID,
  type: 'call',
  body: 'Would like to see a home with two bedrooms.',
  outcome: 'Viewing on Saturday',
  values: null,
  occurredAt: '2026-11-25T03:04:05.678Z',
  actor: { type: 'user', id: '0196a24b-34ed-7302-a3ea-5b2c46f5e0c6', name: 'Hana' },
  createdAt: '2026-11-25T03:05:00.000Z',
  editedAt: null,
  etag: '"1"',
};

const answer = answerPage('A page of activities.', 'ActivityList', [ACTIVITY_EXAMPLE]);
const FAULT = { parameter: 'type', detail: 'type must be note, call or viewing.' };

export const activitiesDocument: FastifySchema = {
  operationId: 'listActivities',
  summary: 'List activities',
  description: 'The activities of all contacts that the caller may see, the newest first.',
  tags,
  querystring: describeListQuery(ACTIVITY_LIST),
  response: { ...answer, ...problemResponses(['cursor_invalid'], FAULT) },
};

export const contactActivitiesDocument: FastifySchema = {
  operationId: 'listContactActivities',
  summary: 'List the activities of a contact',
  description: 'The activities of one contact, the newest first.',
  tags,
  params: CONTACT_PARAMS,
  querystring: describeListQuery(CONTACT_ACTIVITY_LIST),
  response: { ...answer, ...problemResponses(['contact_not_found', 'cursor_invalid'], FAULT) },
};

const params = Type.Object({
  activityId: Type.String({
    description: 'The id of an activity.',
    examples: [ACTIVITY_EXAMPLE.id],
  }),
});

const BODY_FAULT = {
  pointer: '/body',
  detail: 'body of a note must be a string that is not blank.',
};

export const createDocument = {
  operationId: 'createActivity',
  tags,
  summary: 'Add an activity to a contact',
  params: CONTACT_PARAMS,
  headers: IDEMPOTENCY_KEY_FIELD,
  body: Type.Ref('NewActivity#'),
  response: {
    ...answerCreated('The activity.', 'Activity', ACTIVITY_EXAMPLE),
    ...problemResponses(
      ['contact_not_found', 'idempotency_key_in_use', 'idempotency_key_reused', ...WITH_BODY],
      BODY_FAULT,
    ),
  },
};

export const showDocument = {
  operationId: 'showActivity',
  tags,
  summary: 'Show an activity',
  params,
  headers: IF_NONE_MATCH_FIELD,
  response: {
    ...answerRead('The activity.', 'Activity', ACTIVITY_EXAMPLE),
    ...problemResponses(['activity_not_found']),
  },
};

export const changeDocument = {
  operationId: 'changeActivity',
  tags,
  summary: 'Change an activity',
  description: 'An agent changes their own activities only. An enquiry cannot be changed.',
  consumes: MERGE_PATCH_TYPES,
  params,
  headers: IF_MATCH_FIELD,
  body: Type.Ref('ActivityChanges#'),
  response: {
    ...answerResource('The activity as it is now.', 'Activity', {
      ...ACTIVITY_EXAMPLE,
      editedAt: '2026-11-25T03:10:00.000Z',
      etag: '"2"',
    }),
    ...problemResponses(
      ['activity_not_found', 'precondition_failed', 'invalid_transition', ...WITH_BODY],
      BODY_FAULT,
    ),
  },
};

export const deleteDocument = {
  operationId: 'deleteActivity',
  tags,
  summary: 'Delete an activity',
  description: 'An agent deletes their own activities only.',
  params,
  headers: IF_MATCH_FIELD,
  response: {
    ...answerNoContent('The activity is gone.'),
    ...problemResponses(['activity_not_found', 'precondition_failed', ...WITH_BODY]),
  },
};
