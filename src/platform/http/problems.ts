import { Type, type Static } from 'typebox';
import type { FieldFault } from '../fields/index.ts';

/** Every error that the service answers with: its status and its title. There are no others. */
export const PROBLEMS = {
  malformed_request: { status: 400, title: 'The request is not valid HTTP' },
  malformed_body: { status: 400, title: 'The body is not a JSON object' },
  invalid_request: { status: 400, title: 'A parameter or field is invalid' },
  cursor_invalid: { status: 400, title: 'The cursor is not of this list' },
  authorization_repeated: { status: 400, title: 'The Authorization header was sent twice' },
  missing_api_key: { status: 401, title: 'An API key is required' },
  invalid_api_key: { status: 401, title: 'The API key is not valid' },
  session_ended: { status: 401, title: 'The session has ended' },
  sign_in_failed: { status: 401, title: 'Signing in failed' },
  second_step_required: { status: 401, title: 'A code is required' },
  insufficient_access: { status: 403, title: 'This is not permitted' },
  confirmation_required: { status: 403, title: 'The session must be confirmed' },
  role_not_manageable: { status: 403, title: 'People with this role are not yours to manage' },
  scope_not_grantable: { status: 403, title: 'Nobody can grant more than they may do' },
  second_step_setup_required: { status: 403, title: 'The second step must be turned on' },
  assignment_not_allowed: { status: 403, title: 'An agent cannot assign to others' },
  cross_site_request: { status: 403, title: 'The request comes from another site' },
  https_required: { status: 403, title: 'HTTPS is required' },
  project_not_found: { status: 404, title: 'No such project' },
  unit_not_found: { status: 404, title: 'No such unit' },
  contact_not_found: { status: 404, title: 'No such contact' },
  activity_not_found: { status: 404, title: 'No such activity' },
  link_not_found: { status: 404, title: 'The contact has no such link' },
  tag_not_found: { status: 404, title: 'No such tag' },
  picture_not_found: { status: 404, title: 'No such picture' },
  view_not_found: { status: 404, title: 'No such view' },
  user_not_found: { status: 404, title: 'No such person' },
  webhook_not_found: { status: 404, title: 'No such webhook' },
  delivery_not_found: { status: 404, title: 'The webhook has no such delivery' },
  key_not_found: { status: 404, title: 'No such API key' },
  session_not_found: { status: 404, title: 'No such session' },
  link_not_valid: { status: 404, title: 'The link is not valid' },
  event_not_found: { status: 404, title: 'No such event' },
  import_not_found: { status: 404, title: 'No such import' },
  contact_file_not_found: { status: 404, title: 'No such contact file' },
  route_not_found: { status: 404, title: 'No such route' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  email_in_use: { status: 409, title: 'Another contact has this email' },
  not_duplicates: { status: 409, title: 'The contacts do not share an email' },
  duplicate_contacts: { status: 409, title: 'More than one contact has this email' },
  user_email_taken: { status: 409, title: 'Another person has this email' },
  slug_taken: { status: 409, title: 'Another project has this slug' },
  label_taken: { status: 409, title: 'Another tag has this label' },
  name_taken: { status: 409, title: 'Another view has this name' },
  limit_reached: { status: 409, title: 'The account has as many as it may have' },
  secret_shown_once: { status: 409, title: 'The answer had a secret, which is shown once' },
  last_owner: { status: 409, title: 'The account would have no owner' },
  in_use: { status: 409, title: 'It is in use and cannot be deleted' },
  not_the_same_units: { status: 409, title: 'These are not the units of the project' },
  batch_refused: { status: 409, title: 'A row of the batch is refused' },
  file_not_ready: { status: 409, title: 'The file is not ready' },
  invalid_transition: { status: 409, title: 'The action is not possible in this state' },
  idempotency_key_in_use: {
    status: 409,
    title: 'The first request with this key is still running',
  },
  cursor_expired: { status: 410, title: 'The cursor is too old' },
  precondition_failed: { status: 412, title: 'A condition of the request does not hold' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  range_not_satisfiable: { status: 416, title: 'The file does not have this range' },
  project_incomplete: { status: 422, title: 'A live project would lack fields' },
  project_not_available: { status: 422, title: 'The project is not available' },
  unit_requires_project: { status: 422, title: 'A unit needs its project' },
  unit_not_in_project: { status: 422, title: 'The unit is not in the project' },
  rows_refused: { status: 422, title: 'Rows of the file are refused' },
  webhook_url_refused: { status: 422, title: 'No events are sent to this URL' },
  user_not_active: { status: 422, title: 'The user is not active' },
  media_not_found: { status: 422, title: 'The picture is not there' },
  media_unreadable: { status: 422, title: 'The picture cannot be read' },
  mapping_incomplete: { status: 422, title: 'The mapping is not complete' },
  file_unreadable: { status: 422, title: 'The file cannot be read' },
  password_too_weak: { status: 422, title: 'The password is too weak' },
  idempotency_key_reused: { status: 422, title: 'The key was used for another request' },
  too_many_attempts: { status: 429, title: 'Too many failed attempts' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  internal_error: { status: 500, title: 'Something went wrong' },
  unavailable: { status: 503, title: 'The service is unavailable' },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

export type { FieldFault };

/** The fault of one field of a body, one query parameter or one header. */
const Fault = Type.Object(
  {
    pointer: Type.Optional(
      Type.String({
        description: 'JSON pointer of the field in the body; empty for the body as a whole.',
      }),
    ),
    parameter: Type.Optional(Type.String({ description: 'Name of the query parameter.' })),
    header: Type.Optional(Type.String({ description: 'Name of the header.' })),
    row: Type.Optional(Type.Integer({ description: 'Row of the file; its header is row 1.' })),
    column: Type.Optional(Type.String({ description: 'Column of the file, as its header.' })),
    detail: Type.String(),
  },
  {
    description:
      'What is wrong with one field (`pointer`), query parameter (`parameter`), header (`header`) or cell (`row`, `column`).',
  },
);

export type Fault = Static<typeof Fault>;

/** The `application/problem+json` body (RFC 9457) of a problem. */
export const ProblemBody = Type.Object(
  {
    type: Type.String({ format: 'uri', description: '`urn:offplan:problem:` and the code.' }),
    title: Type.String({ description: 'What kind of problem this is.' }),
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
      Type.Array(Fault, { description: 'The faults, on a 400 `invalid_request` and a 422.' }),
    ),
    requiredScope: Type.Optional(
      Type.String({ description: 'On a 403 `insufficient_access`: the scope that is missing.' }),
    ),
    matchingContactIds: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        description: 'On a 409: the contacts with the email.',
      }),
    ),
    mergedIntoId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'On a 404 `contact_not_found`: the contact that it was merged into.',
      }),
    ),
    references: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: { type: 'integer' },
          description: 'On a 409 `in_use`: how many rows of each kind refer to it.',
        },
      ),
    ),
    results: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        description: 'On `batch_refused` and `rows_refused`: the result for each row.',
      }),
    ),
    etag: Type.Optional(
      Type.String({ description: 'On a 412 of a resource: the version that it has now.' }),
    ),
    current: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'On a 412: the resource as it is now.' },
      ),
    ),
    oldestCursor: Type.Optional(
      Type.String({
        description: 'On a 410 `cursor_expired`: the cursor before the oldest event.',
      }),
    ),
    headCursor: Type.Optional(
      Type.String({ description: 'On a 410 `cursor_expired`: the cursor after the latest event.' }),
    ),
  },
  { $id: 'Problem', description: 'A refusal, as RFC 9457 describes it.' },
);
export type ProblemBody = Static<typeof ProblemBody>;

/** The members of a problem that a client gets and the import log stores. */
export type ProblemDetails = Omit<ProblemBody, 'instance' | 'requestId'>;

/** The members that only some problems have, as `ProblemBody` describes them. */
type ProblemMembers = Partial<
  Omit<ProblemDetails, 'type' | 'title' | 'status' | 'detail' | 'code'>
>;

interface ProblemOptions extends ProblemMembers {
  /** Replaces the title of the code. */
  title?: string;
  headers?: Record<string, string>;
  /** For the log only; clients never see it. */
  cause?: unknown;
}

/** A refusal of a request. `detail` is public: it names what is wrong and what would be right. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly title: string;
  readonly headers: Record<string, string>;
  readonly members: ProblemMembers;

  constructor(
    code: ProblemCode,
    detail: string,
    { title = PROBLEMS[code].title, headers = {}, cause, ...members }: ProblemOptions = {},
  ) {
    super(detail, { cause });
    this.code = code;
    this.title = title;
    this.headers = headers;
    this.members = members;
  }
}

/** Makes the problem of a request with these faults. */
export function invalidRequest(errors: Fault[]): Problem {
  const detail = errors.map((fault) => fault.detail).join(' ');
  return new Problem('invalid_request', detail, { errors });
}

const RETRY_AFTER_S = '1';

/** Makes the problem of a request that the client should send again. */
export function unavailable(detail: string, cause?: unknown): Problem {
  return new Problem('unavailable', detail, { cause, headers: { 'retry-after': RETRY_AFTER_S } });
}

/** Lists the members of a problem, except those that name the request. */
export function problemDetails(problem: Problem): ProblemDetails {
  const { code, title, message: detail, members } = problem;
  const { status } = PROBLEMS[code];
  return { type: `urn:offplan:problem:${code}`, title, status, detail, code, ...members };
}

/** Builds the body. `instance` is the path of the request, without its query. */
export function problemBody(problem: Problem, instance: string, requestId: string): ProblemBody {
  const { type, title, status, detail, code, ...members } = problemDetails(problem);
  return { type, title, status, detail, instance, code, requestId, ...members };
}
