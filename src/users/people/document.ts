import { Type } from 'typebox';
import {
  answerPage,
  answerCreated,
  answerRead,
  answerResource,
  describeListQuery,
  IDEMPOTENCY_KEY_FIELD,
  IF_MATCH_FIELD,
  IF_NONE_MATCH_FIELD,
  MERGE_PATCH_TYPES,
  NO_MEMBERS,
  NO_MEMBERS_FAULT,
  problemResponses,
  RATE_LIMIT_FIELDS,
  WITH_BODY,
} from '../../platform/http/index.ts';
import { PERSON_LIST, Reset, type Person, type ShownLink } from './schemas.ts';

/** The parts of the OpenAPI document on the people of an account. */

const tags = ['People'];

export const EXAMPLE_PERSON: Person = {
  id: '0196a24b-34ec-7db6-924f-03249bebad2a',
  email: 'wiremu@kowhailane.example',
  name: 'Wiremu Pou',
  role: 'agent',
  active: true,
  secondStep: false,
  signedInAt: null,
  invitedUntil: '2026-12-02T20:00:00.000Z',
  createdAt: '2026-11-25T20:00:00.000Z',
  updatedAt: '2026-11-25T20:00:00.000Z',
  etag: '"1"',
};

const EXAMPLE_LINK: ShownLink = {
  url: 'https://crm.example.com/a/kowhai-lane/invite#offplan_link_…',
  expiresAt: '2026-12-02T20:00:00.000Z',
};

export const USER_PARAMS = Type.Object({
  userId: Type.String({ description: 'The id of the person.', examples: [EXAMPLE_PERSON.id] }),
});

const EMAIL_FAULT = {
  pointer: '/email',
  detail: 'email must be an email address such as aroha@example.com.',
};

export const listDocument = {
  operationId: 'listUsers',
  tags,
  summary: 'List the people of the account',
  querystring: describeListQuery(PERSON_LIST),
  response: {
    ...answerPage('A page of the people.', 'UserList', [EXAMPLE_PERSON]),
    ...problemResponses(['cursor_invalid'], {
      parameter: 'role',
      detail: 'role must be owner, manager, agent or viewer.',
    }),
  },
};

export const showDocument = {
  operationId: 'getUser',
  tags,
  summary: 'Show a person',
  params: USER_PARAMS,
  headers: IF_NONE_MATCH_FIELD,
  response: {
    ...answerRead('The person.', 'User', EXAMPLE_PERSON),
    ...problemResponses(['user_not_found']),
  },
};

export const createDocument = {
  operationId: 'createUser',
  tags,
  summary: 'Add a person',
  description:
    'The answer has the link by which they choose a password; it is shown once. A manager adds agents and viewers only. An ' +
    'API key adds people with a role whose scopes it has.',
  headers: IDEMPOTENCY_KEY_FIELD,
  body: Type.Ref('NewUser#'),
  response: {
    ...answerCreated('The person was added.', 'InvitedUser', {
      ...EXAMPLE_PERSON,
      invitation: EXAMPLE_LINK,
    }),
    ...problemResponses(
      [
        'confirmation_required',
        'role_not_manageable',
        'scope_not_grantable',
        'user_email_taken',
        'limit_reached',
        'secret_shown_once',
        'idempotency_key_in_use',
        'idempotency_key_reused',
        ...WITH_BODY,
      ],
      EMAIL_FAULT,
    ),
  },
};

export const changeDocument = {
  operationId: 'changeUser',
  tags,
  summary: 'Change a person',
  description:
    'A new email, or a role with more scopes, ends the links that the person has not used.',
  consumes: MERGE_PATCH_TYPES,
  params: USER_PARAMS,
  headers: IF_MATCH_FIELD,
  body: Type.Ref('UserChanges#'),
  response: {
    ...answerResource('The person as they are now.', 'User', { ...EXAMPLE_PERSON, etag: '"2"' }),
    ...problemResponses(
      [
        'user_not_found',
        'confirmation_required',
        'role_not_manageable',
        'scope_not_grantable',
        'precondition_failed',
        'user_email_taken',
        'last_owner',
        ...WITH_BODY,
      ],
      EMAIL_FAULT,
    ),
  },
};

const linkDocument = (description: string) => ({
  tags,
  params: USER_PARAMS,
  response: {
    201: {
      description,
      headers: RATE_LIMIT_FIELDS,
      content: {
        'application/json': { schema: Type.Ref('PersonLink#'), example: EXAMPLE_LINK },
      },
    },
    ...problemResponses(
      [
        'user_not_found',
        'confirmation_required',
        'role_not_manageable',
        'invalid_transition',
        ...WITH_BODY,
      ],
      { pointer: '/removeSecondStep', detail: 'removeSecondStep must be true or false.' },
    ),
  },
});

export const inviteDocument = {
  operationId: 'inviteUser',
  summary: 'Invite a person again',
  description: 'Makes a new link; the older ones of the person end.',
  body: NO_MEMBERS,
  ...linkDocument('The link by which the person chooses a password, for 7 days.'),
};

export const resetDocument = {
  operationId: 'resetUser',
  summary: "Reset a person's password",
  description: 'Makes a link. When the person uses it, their sessions end.',
  body: Type.Unsafe<{ removeSecondStep?: boolean }>({
    ...Reset,
    examples: [{ removeSecondStep: true }],
  }),
  ...linkDocument('The link by which the person chooses a new password, for 24 hours.'),
};

export const activateDocument = {
  operationId: 'activateUser',
  tags,
  summary: 'Let a person sign in again',
  params: USER_PARAMS,
  body: NO_MEMBERS,
  response: {
    ...answerResource('The person, who is active.', 'User', EXAMPLE_PERSON),
    ...problemResponses(
      [
        'user_not_found',
        'confirmation_required',
        'role_not_manageable',
        'limit_reached',
        ...WITH_BODY,
      ],
      NO_MEMBERS_FAULT,
    ),
  },
};
