import swagger from '@fastify/swagger';
import type { FastifyContextConfig } from 'fastify';
import { Type } from 'typebox';
import { version } from '../config/index.ts';
import { allowNoBody } from './body.ts';
import { Pagination } from './list-document.ts';
import {
  Problem,
  ProblemBody,
  problemBody,
  PROBLEMS,
  type Fault,
  type ProblemCode,
} from './problems.ts';
import type { Server } from './server.ts';

/** The problems of every route that asks for an API key. */
const COMMON_CODES: ProblemCode[] = [
  'malformed_request',
  'invalid_request',
  'authorization_repeated',
  'missing_api_key',
  'invalid_api_key',
  'session_ended',
  'insufficient_access',
  'second_step_setup_required',
  'cross_site_request',
  'https_required',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

/**
 * Builds the `response` entries of the problems of a route, besides the common ones. Codes with the same status share an entry.
 * `fault` is the example of its `invalid_request`.
 */
export function problemResponses(codes: ProblemCode[], fault?: Fault): Record<number, object> {
  const byStatus = Map.groupBy([...COMMON_CODES, ...codes], (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [status, findResponse(status, ofStatus, fault)]),
  );
}

const responses = new Map<string, object>();

/** Finds the response that other routes have too, or makes it. */
function findResponse(status: number, codes: ProblemCode[], fault: Fault | undefined): object {
  const key = JSON.stringify([codes, codes.includes('invalid_request') && fault]);
  const response = responses.get(key) ?? problemResponse(status, codes, fault);
  responses.set(key, response);
  return response;
}

function problemResponse(status: number, codes: ProblemCode[], fault: Fault | undefined): object {
  const examples = codes.map((code) => [
    code,
    code === 'invalid_request'
      ? describeExample(code, fault)
      : { $ref: `#/components/examples/${code}` },
  ]);
  return {
    headers: { ...REQUEST_ID, ...HEADERS[status] },
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    content: {
      'application/problem+json': {
        schema: Type.Ref('Problem'),
        examples: Object.fromEntries(examples),
      },
    },
  };
}

const described = (description: string) => ({ type: 'string', description });
const REQUEST_ID = { 'X-Request-Id': described('The `requestId` of the body.') };
const CHALLENGE = {
  'WWW-Authenticate': described('What is wrong with the key, as RFC 6750 says it.'),
};
const RETRY = { 'Retry-After': described('After how many seconds to send the request again.') };
/** The fields of every answer to a request that counts against a limit. */
export const RATE_LIMIT_FIELDS = {
  'RateLimit-Policy': described(
    'Present when the operator or the key has a limit: its name (`"reads"`, `"imports"`, `"writes"` or `"exports"`), and how many requests (`q`) are allowed in how many seconds (`w`).',
  ),
  RateLimit: described(
    'The name of the limit, how many requests are left (`r`), and for how many seconds (`t`).',
  ),
};
const WHILE_RUNNING = {
  'Retry-After': described('With `idempotency_key_in_use`: after how many seconds to ask again.'),
};
const HEADERS: Record<number, object> = {
  401: CHALLENGE,
  403: CHALLENGE,
  409: WHILE_RUNNING,
  429: { ...RETRY, ...RATE_LIMIT_FIELDS },
  503: RETRY,
};

/** The problems without a shared example: each route has its own of an invalid request, and no route of the document has the others. */
const NOT_SHARED = new Set<ProblemCode>([
  'invalid_request',
  'method_not_allowed',
  'range_not_satisfiable',
  'file_unreadable',
]);

/** Makes the examples of the problems that are the same for all routes, by code. */
function describeExamples(): Record<string, { summary: string; value: object }> {
  const codes = (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => !NOT_SHARED.has(code));
  return Object.fromEntries(codes.map((code) => [code, describeExample(code)]));
}

const describeExample = (code: ProblemCode, fault?: Fault) => ({
  summary: PROBLEMS[code].title,
  value: makeExample(code, fault),
});

function makeExample(code: ProblemCode, fault?: Fault): object {
  const title = `${PROBLEMS[code].title}.`;
  const place = FAULT_PLACES[code];
  const shown = code === 'invalid_request' ? fault : place && { ...place, detail: title };
  const problem = new Problem(code, shown?.detail ?? title, {
    ...(shown && { errors: [shown] }),
    ...(code === 'duplicate_contacts' && { matchingContactIds: MATCHING_IDS }),
  });
  return problemBody(problem, '/api/v1/path/of/the/request', 'a57539a3846f-1');
}

const FAULT_PLACES: Partial<Record<ProblemCode, Omit<Fault, 'detail'>>> = {
  project_not_available: { pointer: '/projectId' },
  unit_requires_project: { pointer: '/projectId' },
  unit_not_in_project: { pointer: '/unitId' },
  user_not_active: { pointer: '/assignedAccountUserId' },
  media_unreadable: { pointer: '' },
  password_too_weak: { pointer: '/password' },
  idempotency_key_reused: { header: 'Idempotency-Key' },
};

const MATCHING_IDS = [
  '0196a24b-34ec-7db6-924f-03249bebad2a',
  '0196a24b-34ed-7302-a3ea-5b2c46f5e0c1',
];

interface Reference {
  description: string;
  /** The groups of endpoints, in order. */
  tags: { name: string; description: string }[];
  /** Says who may call a route with this configuration. */
  describeSecurity: (config: FastifyContextConfig) => Record<string, string[]>[];
  /** The requests that the service sends. */
  webhooks: Record<string, object>;
}

/** Builds the OpenAPI document from the routes that are added after this call. */
export async function registerOpenapi(
  server: Server,
  { description, tags, describeSecurity, webhooks }: Reference,
): Promise<void> {
  server.addSchema(ProblemBody);
  server.addSchema(Pagination);
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Offplan',
        version,
        description,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/api/v1' }],
      tags,
      webhooks,
      components: {
        examples: describeExamples(),
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `offplan_…`.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-offplan',
            description: 'The cookie of a person who is signed in.',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const security = describeSecurity(route.config ?? {});
      return {
        schema: {
          ...schema,
          description: [schema.description, ...describeCallers(security)].join('\n\n'),
          security,
          ...(route.preValidation === allowNoBody && { [NEEDS_NO_BODY]: true }),
        },
        url,
      };
    },
    transformObject: (made) => ('openapiObject' in made ? markBodies(made.openapiObject) : {}),
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, index) =>
        typeof $id === 'string' ? $id : `def-${index}`,
    },
  });
}

/** Says in a sentence who may call a route. Readers look for it in the description. */
function describeCallers(security: Record<string, string[]>[]): string[] {
  const scopes = new Set(security.flatMap((each) => Object.values(each).flat()));
  if (scopes.size > 0)
    return [`Needs the scope ${[...scopes].map((each) => `\`${each}\``).join(' or ')}.`];
  const isForPeople = security.length > 0 && security.every((each) => !('apiKey' in each));
  return isForPeople ? ['Only a person who is signed in can call it.'] : [];
}

/** Marks a route that needs no body, until the document is made: @fastify/swagger calls every body required. */
const NEEDS_NO_BODY = 'x-needs-no-body';

/** The body of a route that reads a stream. Its schema has no type before, because Fastify would check the stream by it. */
const FILE = { type: 'string', format: 'binary' };

function markBodies<T extends { paths?: object }>(made: T): T {
  for (const operation of Object.values(made.paths ?? {}).flatMap(Object.values)) {
    if (operation[NEEDS_NO_BODY] && operation.requestBody) operation.requestBody.required = false;
    delete operation[NEEDS_NO_BODY];
    for (const { schema } of Object.values<{ schema: object }>(
      operation.requestBody?.content ?? {},
    ))
      if (!('type' in schema || '$ref' in schema)) Object.assign(schema, FILE);
  }
  return made;
}
