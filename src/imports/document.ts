import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import {
  problemResponses,
  RATE_LIMIT_FIELDS,
  REPLAYED_FIELD,
  PROBLEMS,
  Problem,
  problemBody,
  type ProblemCode,
} from '../platform/http/index.ts';
import { EXAMPLE_RESULT, type ContactBatchResult, type ContactImportResult } from './schemas.ts';

const PROBLEM_CODES: ProblemCode[] = [
  'malformed_body',
  'idempotency_key_in_use',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
];
const REFUSAL_CODES: ProblemCode[] = [
  'duplicate_contacts',
  'project_not_available',
  'unit_requires_project',
  'unit_not_in_project',
  'user_not_active',
  'assignment_not_allowed',
];

const CONTACT_FIELDS = {
  Location: { type: 'string', description: 'The path of the contact. A dry run has none.' },
  ETag: {
    type: 'string',
    description:
      "The contact's `etag`, as the import left it. A dry run has none, and neither has a repeat with the same `Idempotency-Key`.",
  },
};

const HANDLING_FIELDS = {
  'Ignored-Fields': {
    type: 'string',
    description:
      'The names of members that are not fields, at most 20, as strings of RFC 9651, percent-encoded. A refusal has them, too.',
  },
  'Preference-Applied': {
    type: 'string',
    enum: ['handling=strict', 'handling=lenient'],
    description: 'Present when `Prefer` asks for a handling. A refusal has it, too.',
  },
};

const querystring = Type.Object({
  dryRun: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        'With `true` the answer is the same and nothing is stored; an `Idempotency-Key` is ignored.',
    }),
  ),
});

const headers = Type.Object({
  Prefer: Type.Optional(
    Type.String({
      description:
        '`handling=strict` (RFC 7240): a lead with unknown fields is refused instead of imported without them.',
      examples: ['handling=strict'],
    }),
  ),
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Your name for this request, such as a UUID. For 24 hours a repeat gets the first answer again, byte for ' +
        'byte, and nothing is imported twice. An attempt that ended in a 5xx, or without an answer, may be repeated ' +
        'with the same key.',
      examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
    }),
  ),
});

const singleHeaders = Type.Object({
  ...headers.properties,
  'If-None-Match': Type.Optional(
    Type.String({
      description:
        '`*`: create a contact or nothing. When a contact has the email, the answer is a 412, and the contact is ' +
        'not filled. Any other value is ignored.',
      examples: ['*'],
    }),
  ),
});

function answer(description: string, name: string, value: object, fields = {}): object {
  const schema = Type.Ref(`${name}#`);
  return {
    description,
    headers: {
      ...fields,
      ...HANDLING_FIELDS,
      ...REPLAYED_FIELD,
      ...RATE_LIMIT_FIELDS,
    },
    content: { 'application/json': { schema, examples: { answer: { value } } } },
  };
}

const MISSING_EMAIL = { pointer: '/email', detail: 'email is required.' };

const MERGED: ContactImportResult = {
  ...EXAMPLE_RESULT,
  action: 'merged',
  matchedBy: 'email',
  filledFields: ['phone_mobile'],
};

/** The part of the OpenAPI document on POST /contacts. */
export const singleDocument: FastifySchema = {
  operationId: 'importContact',
  summary: 'Import a contact',
  description:
    'Creates a contact, or fills the empty fields of the one that has the same email. Sending a lead again ' +
    'overwrites nothing and makes no second contact. `notes` are written again unless the latest activity says the same; ' +
    'an `Idempotency-Key` makes sure that they are not.',
  tags: ['Contacts'],
  querystring,
  headers: singleHeaders,
  body: Type.Ref('ContactImport#'),
  response: {
    201: answer(
      'A new contact was created.',
      'ContactImportResult',
      EXAMPLE_RESULT,
      CONTACT_FIELDS,
    ),
    200: answer(
      'The contact with this email was filled in.',
      'ContactImportResult',
      MERGED,
      CONTACT_FIELDS,
    ),
    ...problemResponses([...REFUSAL_CODES, 'precondition_failed', ...PROBLEM_CODES], MISSING_EMAIL),
  },
};

const WRONG_EMAIL = {
  pointer: '/email',
  detail: 'email must be an email address such as aroha@example.com: it has no @.',
};

const BATCH: ContactBatchResult = {
  summary: { created: 1, merged: 0, refused: 1 },
  results: [
    { index: 0, ...EXAMPLE_RESULT },
    {
      index: 1,
      problem: problemBody(
        new Problem('invalid_request', WRONG_EMAIL.detail, { errors: [WRONG_EMAIL] }),
        '/api/v1/contacts/batch#/contacts/1',
        'a57539a3846f-1',
      ),
    },
  ],
};

/** The part of the OpenAPI document on POST /contacts/batch. */
export const batchDocument: FastifySchema = {
  operationId: 'importContacts',
  summary: 'Import up to 1,000 contacts',
  description:
    'The items are imported in order, each by the rules of a single import: an item sees the earlier ones with its email. ' +
    'A refused item changes nothing and does not stop the others; all accepted items are committed together. A refused ' +
    `item has the \`problem\` that a single import would have: ${REFUSAL_CODES.map((code) => `\`${code}\` (${PROBLEMS[code].status})`).join(', ')}, ` +
    '`invalid_request` or `malformed_body` (400); its pointers begin at the item.',
  tags: ['Contacts'],
  querystring,
  headers,
  body: Type.Ref('ContactBatch#'),
  response: {
    200: answer('What each import did.', 'ContactBatchResult', BATCH),
    ...problemResponses(PROBLEM_CODES, {
      pointer: '/contacts',
      detail: 'contacts must be a list of 1 to 1000 imports.',
    }),
  },
};
