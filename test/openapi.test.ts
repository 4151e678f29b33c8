import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openapiDocument } from '../scripts/openapi.ts';
import { PROBLEMS } from '../src/platform/http/index.ts';
import { accountFile } from './support/accounts.ts';
import type { Document } from './support/document.ts';
import { build } from './support/harness.ts';

const { key, load, send } = await build({ after });
const { body: served } = (await send({ url: '/api/v1/openapi.json' })) as { body: Document };

interface Described {
  properties: Record<string, { anyOf?: { type?: string[] }[] }>;
}

test('the document is sent compressed, with an ETag, and not again to a client that has it', async () => {
  const url = '/api/v1/openapi.json';
  for (const coding of ['br', 'gzip']) {
    const { headers } = await send({ url, headers: { 'accept-encoding': coding } });
    assert.equal(headers['content-encoding'], coding);
    assert.ok(Number(headers['content-length']) < 200_000);
    const again = await send({ url, headers: { 'if-none-match': String(headers['etag']) } });
    assert.equal(again.status, 304);
  }
});

test('the document is valid OpenAPI 3.1', async () => {
  assert.match(served.openapi, /^3\.1\./);
  const { valid, errors } = await new Validator().validate({ ...structuredClone(served) });
  assert.ok(valid, JSON.stringify(errors));
});

test('the committed document is the one that is served; else run npm run documents', async () => {
  const committed = await readFile(new URL('../docs/openapi.json', import.meta.url), 'utf8');
  assert.equal(committed, `${JSON.stringify(await openapiDocument(), null, 2)}\n`);
  assert.deepEqual(JSON.parse(committed), served);
});

test('an action whose members are all optional is answered without a body, and the document says so', async () => {
  await load(accountFile('actions'));
  const all = await key('actions', 'all');
  for (const action of [
    '/webhooks/{webhookId}/rotate-secret',
    '/webhooks/{webhookId}/test',
    '/contact-files/{fileId}/start',
    '/imports/{importId}/dismiss',
    '/users/{userId}/reset',
    '/contacts/{contactId}/archive',
  ]) {
    assert.equal(served.paths[action]?.['post']?.requestBody?.required, false, action);
    const url = `/api/v1${action.replace(/\{\w+\}/, 'none')}`;
    const { status } = await send({ method: 'POST', url, key: all });
    assert.equal(status, 404, action);
  }
});

test('every endpoint says which scope its caller needs, and belongs to a group with a description', () => {
  const groups = served.tags.map(({ name }) => name);
  for (const [path, methods] of Object.entries(served.paths))
    for (const [method, { description = '', security = [], tags = [] }] of Object.entries(
      methods,
    )) {
      const [, named = ''] = /\n\nNeeds the scope ([^.]*)\.$/.exec(description) ?? [];
      const scopes = security.flatMap((each) => Object.values(each).flat());
      assert.deepEqual(
        [...named.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope),
        [...new Set(scopes)],
        `${method} ${path}`,
      );
      assert.ok(groups.includes(tags[0] ?? ''), `${method} ${path}: ${tags.join()}`);
    }
  assert.equal(new Set(groups).size, groups.length);
});

test('every endpoint is described, with an example of each answer and its errors', () => {
  const operations = Object.entries(served.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method} ${path}`,
      ...operation,
    })),
  );
  assert.deepEqual(operations.map(({ name }) => name).toSorted(), [
    'delete /activities/{activityId}',
    'delete /contact-files/{fileId}',
    'delete /contacts/{contactId}',
    'delete /contacts/{contactId}/links/{linkId}',
    'delete /me/second-step',
    'delete /me/sessions',
    'delete /me/sessions/{id}',
    'delete /media/{sha256}',
    'delete /stock/projects/{projectId}',
    'delete /stock/units/{unitId}',
    'delete /tags/{tagId}',
    'delete /views/{viewId}',
    'delete /webhooks/{webhookId}',
    'get /activities',
    'get /activities/{activityId}',
    'get /changes',
    'get /contact-files',
    'get /contact-files/{fileId}',
    'get /contact-files/{fileId}/report.csv',
    'get /contacts',
    'get /contacts/duplicates',
    'get /contacts/{contactId}',
    'get /contacts/{contactId}/activities',
    'get /contacts/{contactId}/changes',
    'get /contacts/{contactId}/data',
    'get /contacts/{contactId}/links/{linkId}',
    'get /events',
    'get /events/head',
    'get /events/{eventId}',
    'get /exports/activities',
    'get /exports/contacts',
    'get /exports/units',
    'get /imports',
    'get /imports/{importId}',
    'get /keys',
    'get /keys/{keyId}',
    'get /me',
    'get /me/sessions',
    'get /media',
    'get /organization',
    'get /projects/{slug}',
    'get /sources',
    'get /stats/leads',
    'get /stats/response',
    'get /stats/stock',
    'get /stock/projects',
    'get /stock/projects/{projectId}',
    'get /stock/projects/{projectId}/changes',
    'get /stock/projects/{projectId}/price-list.csv',
    'get /stock/projects/{projectId}/units',
    'get /stock/units',
    'get /stock/units/{unitId}',
    'get /stock/units/{unitId}/changes',
    'get /stocklist',
    'get /tags',
    'get /tags/{tagId}',
    'get /users',
    'get /users/{userId}',
    'get /views',
    'get /views/{viewId}',
    'get /webhooks',
    'get /webhooks/{webhookId}',
    'get /webhooks/{webhookId}/deliveries',
    'patch /activities/{activityId}',
    'patch /contacts/{contactId}',
    'patch /keys/{keyId}',
    'patch /me',
    'patch /organization',
    'patch /stock/projects/{projectId}',
    'patch /stock/units/{unitId}',
    'patch /tags/{tagId}',
    'patch /users/{userId}',
    'patch /views/{viewId}',
    'patch /webhooks/{webhookId}',
    'post /contact-files',
    'post /contact-files/{fileId}/continue',
    'post /contact-files/{fileId}/start',
    'post /contact-files/{fileId}/stop',
    'post /contact-files/{fileId}/undo',
    'post /contacts',
    'post /contacts/batch',
    'post /contacts/bulk',
    'post /contacts/{contactId}/activities',
    'post /contacts/{contactId}/archive',
    'post /contacts/{contactId}/links',
    'post /contacts/{contactId}/merge',
    'post /contacts/{contactId}/restore',
    'post /contacts/{contactId}/tags',
    'post /imports/dismiss',
    'post /imports/retry',
    'post /imports/{importId}/dismiss',
    'post /imports/{importId}/retry',
    'post /keys',
    'post /keys/find',
    'post /keys/{keyId}/revoke',
    'post /keys/{keyId}/rotate',
    'post /links/accept',
    'post /links/open',
    'post /me/confirm',
    'post /me/password',
    'post /me/second-step',
    'post /me/second-step/confirm',
    'post /media',
    'post /sign-in',
    'post /sign-out',
    'post /stock/projects',
    'post /stock/projects/{projectId}/archive',
    'post /stock/projects/{projectId}/publish',
    'post /stock/projects/{projectId}/units',
    'post /stock/projects/{projectId}/unpublish',
    'post /stock/units/batch',
    'post /tags',
    'post /tags/{tagId}/merge',
    'post /users',
    'post /users/{userId}/activate',
    'post /users/{userId}/deactivate',
    'post /users/{userId}/invite',
    'post /users/{userId}/reset',
    'post /views',
    'post /webhooks',
    'post /webhooks/{webhookId}/deliveries/{deliveryId}/retry',
    'post /webhooks/{webhookId}/replay',
    'post /webhooks/{webhookId}/rotate-secret',
    'post /webhooks/{webhookId}/test',
    'put /stock/projects/{projectId}/price-list.csv',
    'put /stock/projects/{projectId}/units/order',
  ]);
  for (const { name, responses } of operations) {
    for (const status of ['401', '429', '500', '503'])
      assert.ok(responses[status], `${name} ${status}`);
    for (const [status, { content }] of Object.entries(responses)) {
      if (status === '304' || status === '204') continue;
      const [media] = Object.values(content ?? {}) as { example?: unknown; examples?: object }[];
      assert.ok(media?.example ?? media?.examples, `${name} ${status} has no example`);
    }
  }
});

interface Shown {
  schema: object;
  example: unknown;
}

const EXAMPLES = '#/components/examples/';

/** Returns the shared example that a reference names. */
const follow = (reference: string): { value?: unknown } =>
  served.components.examples[reference.replace(EXAMPLES, '')] ?? assert.fail(reference);

/** Finds the examples of the document: those of bodies and parameters, and those of the schemas themselves. */
function* findExamples(node: unknown): Generator<Shown> {
  if (typeof node !== 'object' || node === null) return;
  const { schema, example, examples, ...others } = node as Partial<Shown> & { examples?: object };
  if (schema !== undefined && example !== undefined) yield { schema, example };
  for (const each of Object.values(examples ?? {}) as { value?: unknown; $ref?: string }[])
    if (schema !== undefined)
      yield { schema, example: (each.$ref ? follow(each.$ref) : each).value };
    else if (Array.isArray(examples)) yield { schema: others, example: each };
  yield* findExamples(schema);
  for (const each of Object.values(others)) yield* findExamples(each);
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false });
formats.default(ajv);
ajv.addSchema({ $id: 'document', components: served.components });
const validators = new Map<string, ValidateFunction>();

/** Compiles a schema of the document, once. */
function compile(schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, validate);
  return validate;
}

test('each example in the document is valid for its schema, also by its format', () => {
  const faults = new Set<string>();
  for (const { schema, example } of findExamples(served)) {
    const validate = compile(schema);
    if (!validate(example))
      faults.add(`${ajv.errorsText(validate.errors)}: ${JSON.stringify(example)}`);
  }
  assert.deepEqual([...faults], []);
});

test('the document says that a new unit needs a name and a status, as the service does', () => {
  const path = '/stock/projects/{projectId}/units';
  const content = served.paths[path]?.['post']?.requestBody?.content;
  const validate = compile(content?.['application/json']?.schema ?? assert.fail(path));
  const unit = { name: '3.07', status: 'Available' };
  for (const body of [unit, { units: [unit] }]) assert.ok(validate(body), JSON.stringify(body));
  const parts = [{ name: '3.07' }, { status: 'Available' }];
  const wrong = [...parts, ...parts.map((part) => ({ units: [part] })), { ...unit, units: [unit] }];
  for (const body of wrong) assert.ok(!validate(body), JSON.stringify(body));
});

test('the document refers to each shared schema and example', () => {
  const text = JSON.stringify(served);
  const { schemas, examples } = served.components;
  const names = Object.entries({ schemas, examples }).flatMap(([kind, parts]) =>
    Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
  );
  assert.deepEqual(
    names.filter((name) => !text.includes(`"${name}"`)),
    [],
  );
});

test('the document says that a picture and a file of contacts are files, so that generated clients send them as they are', () => {
  for (const path of ['/media', '/contact-files'])
    for (const { schema } of Object.values(
      served.paths[path]?.['post']?.requestBody?.content ?? {},
    ))
      assert.deepEqual(
        [Reflect.get(schema, 'type'), Reflect.get(schema, 'format')],
        ['string', 'binary'],
        path,
      );
});

test('the document says that a date without a time is a text', () => {
  const { NewProject } = served.components.schemas as Record<string, Described>;
  const { anyOf = [] } = NewProject?.properties['estimatedCompletionDate'] ?? {};
  assert.equal(anyOf.length, 2);
  for (const { type } of anyOf) assert.deepEqual(type, ['string', 'null']);
});

test('each header of an answer has a type, and each request that the service sends says that it needs no key', () => {
  const { webhooks } = served;
  const operations = Object.values(served.paths).flatMap((methods) => Object.values(methods));
  for (const { responses } of operations)
    for (const { headers = {} } of Object.values(responses))
      for (const [name, { schema }] of Object.entries(headers))
        assert.ok('type' in schema && !('schema' in schema), name);
  assert.deepEqual(webhooks['event']?.['post']?.security, []);
});

test('each endpoint that answers 304 says that it takes If-None-Match', () => {
  for (const [path, { get }] of Object.entries(served.paths))
    if (get?.responses['304'])
      assert.ok(
        get.parameters?.some(({ name }) => name === 'If-None-Match'),
        path,
      );
});

const CODES = [
  'malformed_body',
  'invalid_request',
  'authorization_repeated',
  'missing_api_key',
  'invalid_api_key',
  'session_ended',
  'sign_in_failed',
  'second_step_required',
  'confirmation_required',
  'second_step_setup_required',
  'cross_site_request',
  'https_required',
  'session_not_found',
  'user_not_found',
  'key_not_found',
  'webhook_not_found',
  'delivery_not_found',
  'webhook_url_refused',
  'user_email_taken',
  'role_not_manageable',
  'scope_not_grantable',
  'last_owner',
  'limit_reached',
  'label_taken',
  'secret_shown_once',
  'precondition_failed',
  'link_not_valid',
  'password_too_weak',
  'insufficient_access',
  'project_not_found',
  'unit_not_found',
  'contact_not_found',
  'activity_not_found',
  'link_not_found',
  'assignment_not_allowed',
  'email_in_use',
  'not_duplicates',
  'in_use',
  'not_the_same_units',
  'batch_refused',
  'rows_refused',
  'import_not_found',
  'cursor_invalid',
  'invalid_transition',
  'duplicate_contacts',
  'body_too_large',
  'unsupported_media_type',
  'project_not_available',
  'unit_requires_project',
  'unit_not_in_project',
  'user_not_active',
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'rate_limited',
  'too_many_attempts',
  'unavailable',
  'internal_error',
];

test('the document has every code of a problem, with an example', () => {
  const text = JSON.stringify(served.paths);
  for (const code of CODES) {
    assert.ok(Object.hasOwn(PROBLEMS, code), code);
    const isShown = text.includes(`"code":"${code}"`) || text.includes(`"${EXAMPLES}${code}"`);
    assert.ok(isShown, code);
  }
});

test('docs/api.md has every code of a problem, with its status, in one table', async () => {
  const text = await readFile(new URL('../docs/api.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| (\d{3}) +\| `(\w+)` +\| \S/gm)];
  assert.deepEqual(
    rows.map(([, status, code]) => `${status} ${code}`).toSorted(),
    Object.entries(PROBLEMS)
      .map(([code, { status }]) => `${status} ${code}`)
      .toSorted(),
  );
});

test('the reference page loads nothing from elsewhere', async () => {
  const page = await send({ url: '/docs' });
  assert.equal(page.status, 200);
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/);
  const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
  assert.ok(loaded.length > 3);
  for (const url of loaded) {
    assert.match(url, /^\/docs\//);
    assert.equal((await send({ url })).status, 200, url);
  }
  const settings = await send({ url: '/docs/static/swagger-initializer.js' });
  assert.match(settings.text, /"validatorUrl":null|validatorUrl: null/);
});
