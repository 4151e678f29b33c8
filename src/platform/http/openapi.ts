import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { Type } from 'typebox';
import {
  PROBLEMS,
  Problem,
  problemBody,
  type Fault,
  type ProblemBody,
  type ProblemCode,
} from './problems.ts';
import { version } from '../config/index.ts';
import { PAGE_HEADERS, SECURITY_HEADERS } from './headers.ts';
import type { Server } from './server.ts';

const FaultSchema = Type.Object(
  {
    pointer: Type.Optional(Type.String({ description: 'JSON pointer of the field in the body.' })),
    parameter: Type.Optional(Type.String({ description: 'Name of the query parameter.' })),
    header: Type.Optional(Type.String({ description: 'Name of the header.' })),
    detail: Type.String(),
  },
  {
    description:
      'What is wrong with one field (`pointer`), query parameter (`parameter`) or header (`header`).',
  },
);

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: '`urn:offplan:problem:` and the code.' }),
    title: Type.String({ description: 'The same for every problem of one code.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({
      description: 'What is wrong with this request, and what would be right.',
    }),
    instance: Type.String({ format: 'uri-reference', description: 'The path of the request.' }),
    code: Type.Enum(Object.keys(PROBLEMS) as ProblemCode[], {
      description: 'Names the kind of problem; branch on it.',
    }),
    requestId: Type.String({
      description: 'Names the request in the log; also in `X-Request-Id`.',
    }),
    errors: Type.Optional(
      Type.Array(FaultSchema, { description: 'On a 400 `invalid_request` and a 422.' }),
    ),
    matchingContactIds: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        description: 'On a 409: the contacts with the email.',
      }),
    ),
  },
  { $id: 'Problem', description: 'A refusal, as RFC 9457 describes it.' },
);

/**
 * Builds the `response` entries of the problems that a route answers with. Codes with the same status share an entry.
 * `fault` is the example of its `invalid_request`.
 */
export function problemResponses(codes: ProblemCode[], fault?: Fault): Record<number, object> {
  const byStatus: Record<number, ProblemCode[]> = {};
  for (const code of codes) (byStatus[PROBLEMS[code].status] ??= []).push(code);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, ofStatus]) => [
      status,
      problemResponse(ofStatus, fault),
    ]),
  );
}

function problemResponse(codes: ProblemCode[], fault: Fault | undefined): object {
  const examples = codes.map((code) => [
    code,
    { summary: PROBLEMS[code].title, value: example(code, fault) },
  ]);
  const headers = { ...REQUEST_ID, ...HEADERS[PROBLEMS[codes[0] ?? 'internal_error'].status] };
  return {
    headers,
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
    'When the operator has set a limit: `"reads"` or `"imports"`, how many a key may make (`q`) in how many seconds (`w`).',
  ),
  RateLimit: described('The same: how many are left (`r`), and for how many seconds (`t`).'),
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

function example(code: ProblemCode, fault: Fault | undefined): object {
  const options = code === 'invalid_request' && fault ? { errors: [fault] } : extras(code);
  const [first] = options.errors ?? [];
  const problem = new Problem(code, first?.detail ?? `${PROBLEMS[code].title}.`, options);
  return problemBody(problem, '/api/v1/…', 'a57539a3846f-1');
}

function extras(code: ProblemCode): Pick<ProblemBody, 'errors' | 'matchingContactIds'> {
  const pointer = FIELD_OF[code];
  if (pointer !== undefined) return { errors: [{ pointer, detail: `${PROBLEMS[code].title}.` }] };
  if (code === 'idempotency_key_reused')
    return { errors: [{ header: 'Idempotency-Key', detail: `${PROBLEMS[code].title}.` }] };
  if (code !== 'duplicate_contacts') return {};
  return {
    matchingContactIds: [
      '0196a24b-34ec-7db6-924f-03249bebad2a',
      '0196a24b-34ed-7302-a3ea-5b2c46f5e0c1',
    ],
  };
}

const FIELD_OF: Partial<Record<ProblemCode, string>> = {
  project_not_available: '/projectId',
  unit_requires_project: '/projectId',
  unit_not_in_project: '/unitId',
  user_not_active: '/assignedAccountUserId',
};

const DESCRIPTION = `Websites and portals read a developer's stocklist and project pages, and push leads into it.

Every request carries an API key: \`Authorization: Bearer <API_KEY>\`. Importing a contact needs one with
read-write access. Every error is a problem (RFC 9457) with a \`code\` that stays the same; branch on it.`;

/** Builds the OpenAPI document from the routes that are added from now on. */
export async function registerOpenapi(server: Server): Promise<void> {
  server.addSchema(ProblemSchema);
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Offplan',
        version,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/api/v1' }],
      tags: [
        { name: 'Stock', description: 'What the account sells: its projects and their units.' },
        { name: 'Contacts', description: 'Leads.' },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `offplan_…`.' },
        },
      },
    },
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, index) =>
        typeof $id === 'string' ? $id : `def-${index}`,
    },
  });
}

/** Serves the document, and a reference page that loads nothing from other servers. */
export async function referenceRoutes(server: Server): Promise<void> {
  server.get('/api/v1/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    void reply.headers(SECURITY_HEADERS).send(server.swagger());
  });
  server.get('/', { schema: { hide: true } }, (_request, reply) =>
    reply.headers(SECURITY_HEADERS).redirect('/docs', 302),
  );
  await server.register(async (page: Server) => {
    page.addHook('onRequest', (_request, reply, done) => {
      reply.headers(PAGE_HEADERS);
      done();
    });
    await page.register(swaggerUi, {
      routePrefix: '/docs',
      uiConfig: {
        validatorUrl: null,
        deepLinking: true,
        docExpansion: 'list',
        layout: 'BaseLayout',
      },
      theme: { title: 'Offplan API' },
    });
  });
}
