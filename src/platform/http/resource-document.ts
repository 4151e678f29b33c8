import { Type } from 'typebox';
import { object } from '../fields/index.ts';
import { RATE_LIMIT_FIELDS } from './openapi.ts';
import type { ProblemCode } from './problems.ts';

/* Describes the requests and answers that routes share for the OpenAPI document. */

const optionalText = (description: string, examples: string[]) =>
  Type.Optional(Type.String({ description, examples }));

/** The header that lets a request change a resource only if it has this version. */
export const IF_MATCH_FIELD = Type.Object({
  'If-Match': optionalText(
    'The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.',
    ['"7"'],
  ),
});

/** The header that lets a request read a resource only if it has changed. */
export const IF_NONE_MATCH_FIELD = Type.Object({
  'If-None-Match': optionalText(
    'The `ETag` of the answer that you have. While it is current, the answer is a 304.',
    ['"7"'],
  ),
});

/** The header that lets a request create something at most once. */
export const IDEMPOTENCY_KEY_FIELD = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Your name for this request, such as a UUID. For 24 hours a repeat creates nothing: it gets the first answer ' +
        'again, or, when that had a secret, a 409 `secret_shown_once`.',
      examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
    }),
  ),
});

/** The media types of a PATCH. */
export const MERGE_PATCH_TYPES = ['application/json', 'application/merge-patch+json'];

/** The problems of a request with a body. */
export const WITH_BODY: ProblemCode[] = [
  'malformed_body',
  'body_too_large',
  'unsupported_media_type',
];

/** The body of a request that has nothing to say, and the fault of a member in it. */
export const NO_MEMBERS = object({}, 'No members.');
export const NO_MEMBERS_FAULT = { pointer: '/x', detail: 'x is not a field here.' };

const text = (description: string) => ({ type: 'string', description });
const ETAG = text("The resource's `etag`.");

/** Describes an answer in JSON that is not a resource and so has no ETag. */
export function answerJson(description: string, schema: string, example: object) {
  return {
    200: {
      description,
      headers: RATE_LIMIT_FIELDS,
      content: { 'application/json': { schema: Type.Ref(`${schema}#`), example } },
    },
  };
}

/** Describes an answer with a page of a list. Its schema has the name `schema`; the example is a last page with the items `data`. */
export const answerPage = (description: string, schema: string, data: object[]) =>
  answerJson(description, schema, {
    data,
    pagination: { limit: 20, nextCursor: null, hasNextPage: false },
  });

/** Describes a 204. */
export const answerNoContent = (description: string) => ({
  204: { type: 'null', description, headers: RATE_LIMIT_FIELDS },
});

const RESOURCE_HEADERS = { ETag: ETAG, ...RATE_LIMIT_FIELDS };

/** Describes an answer with a resource. */
export function answerResource(description: string, schema: string, example: object) {
  return {
    200: {
      description,
      headers: RESOURCE_HEADERS,
      content: { 'application/json': { schema: Type.Ref(`${schema}#`), example } },
    },
  };
}

/** Describes the answers to a GET of a resource: the resource, and a 304. */
export function answerRead(description: string, schema: string, example: object) {
  return {
    ...answerResource(description, schema, example),
    304: {
      type: 'null',
      description: 'Not changed since the ETag in `If-None-Match`.',
      headers: RESOURCE_HEADERS,
    },
  };
}

/** The header of a repeat that gets the answer to the first request. */
export const REPLAYED_FIELD = {
  'Idempotent-Replayed': {
    type: 'string',
    enum: ['true'],
    description:
      'Present on a repeat with the same `Idempotency-Key`: this is the first answer again.',
  },
};

/** Describes the answer to a request that has created a resource. */
export function answerCreated(description: string, schema: string, example: object) {
  return {
    201: {
      description,
      headers: {
        ETag: ETAG,
        Location: text('The path of the resource.'),
        ...REPLAYED_FIELD,
        ...RATE_LIMIT_FIELDS,
      },
      content: { 'application/json': { schema: Type.Ref(`${schema}#`), example } },
    },
  };
}
