import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import pino from 'pino';
import {
  includeReadScopes,
  listScopesOfRole,
  PERMISSIONS,
  requireRouteScopes,
  ROLES,
  SCOPES,
  type RouteScope,
  type Scope,
} from '../src/access/index.ts';
import { issueKey } from '../src/keys/index.ts';
import { createServer, neverShutDown } from '../src/platform/http/index.ts';
import { accountIdOf } from './support/accounts.ts';
import { developersOf } from './support/developer.ts';
import { document } from './support/document.ts';
import { keyEndpointsOf, type KeyEndpoint } from './support/endpoints.ts';
import { build, type Answer } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';
import { testAccountsOf } from './support/test-accounts.ts';

const service = await build({ after });
const developer = await developersOf(service)();
const accountId = await accountIdOf(service.db, developer);
const endpoints = keyEndpointsOf(document);

const hasScope = (endpoint: KeyEndpoint): endpoint is KeyEndpoint & { scope: Scope } =>
  endpoint.scope !== 'any';

/** Whether the caller may call the route. It may still refuse what the request asks for. */
const passes = ({ status, body }: Answer): boolean =>
  status !== 401 && body?.code !== 'insufficient_access';

const issue = (scopes: Scope[]): Promise<string> =>
  issueKey(service.db, accountId, { name: 'matrix', scopes });

test('each role has the scopes that the documentation promises', () => {
  const read = SCOPES.filter((scope) => scope.endsWith(':read') && scope !== 'audit:read');
  const agent: Scope[] = [...read, 'leads:import', 'contacts:write', 'units:hold'];
  const manager: Scope[] = [
    ...agent,
    'contacts:manage',
    'contacts:export',
    'projects:write',
    'settings:write',
    'users:write',
    'audit:read',
  ];
  const promised = { owner: SCOPES, manager, agent, viewer: read };
  for (const role of ROLES)
    assert.deepEqual(listScopesOfRole(role).toSorted(), promised[role].toSorted(), role);
  assert.equal(SCOPES.length, 19);
});

for (const { name, scope, request } of endpoints.filter(hasScope))
  describe(name, () => {
    const answerOf = async (scopes: Scope[]) =>
      service.send({ ...request(), key: await issue(scopes) });

    test(`passes a key that has ${scope}`, async () => {
      assert.ok(passes(await answerOf([scope])));
    });

    test(`answers 403 to a key with all scopes but ${scope}`, async () => {
      const others = SCOPES.filter((each) => !includeReadScopes([each]).includes(scope));
      const answer = await answerOf(others);
      assertProblem(answer, 'insufficient_access', request().url);
      if (scope === 'leads:import') return;
      assert.equal(answer.body.requiredScope, scope);
      assert.equal(
        answer.headers['www-authenticate'],
        `Bearer realm="offplan", error="insufficient_scope", scope="${scope}"`,
      );
    });

    for (const role of ROLES)
      test(`lets a key with the scopes of a role of ${role} do what the role may do`, async () => {
        const answer = await answerOf(listScopesOfRole(role));
        assert.equal(passes(answer), listScopesOfRole(role).includes(scope), answer.text);
      });
  });

test('the answer to a viewer who sends a lead names the missing scope, and no key', async () => {
  const { person } = await testAccountsOf(service)();
  const viewer = await person('viewer');
  for (const path of ['/contacts', '/contacts/batch']) {
    const { body } = await viewer.post(path, { email: 'aroha@example.com' });
    assert.deepEqual(
      [body.code, body.requiredScope, body.detail],
      ['insufficient_access', 'leads:import', 'This needs the scope leads:import.'],
    );
  }
});

describe('a key of the time before scopes', () => {
  const PROMISED = {
    read: ['stock:read', 'any'],
    'read-write': ['stock:read', 'leads:import', 'any'],
  };
  for (const access of ['read', 'read-write'] as const)
    test(`may do with the access ${access} what it could then, and nothing else`, async () => {
      const key = await service.key(developer.slug, access);
      for (const { name, scope, request } of endpoints) {
        const answer = await service.send({ ...request(), key });
        assert.equal(passes(answer), PROMISED[access].includes(scope), `${name} ${answer.text}`);
      }
    });
});

for (const { name, request } of endpoints.filter(({ scope }) => scope === 'any'))
  test(`${name} passes every key`, async () => {
    const { status, text } = await service.send({ ...request(), key: await issue(['stats:read']) });
    assert.ok(status < 300, text);
  });

test('a write scope includes the read scope of its noun, and a read scope nothing else', async () => {
  const scopesOf = async (scope: Scope) =>
    (await service.send({ url: '/api/v1/me', key: await issue([scope]) })).body.scopes;
  for (const noun of ['contacts', 'projects', 'settings', 'users'] as const) {
    const read: Scope = `${noun}:read`;
    const write: Scope = `${noun}:write`;
    assert.deepEqual(await scopesOf(read), [read]);
    assert.deepEqual(await scopesOf(write), [read, write]);
    for (const { scope, request } of endpoints.filter((each) => each.scope === read)) {
      const answer = await service.send({ ...request(), key: await issue([write]) });
      assert.ok(passes(answer), `${scope} ${answer.text}`);
    }
  }
});

test('docs/management.md has the permission table', async () => {
  const text = await readFile(new URL('../docs/management.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| (`\w+:\w+`.*) \|$/gm)].map(([, row = '']) =>
    row.split(' | ').map((cell) => cell.trim()),
  );
  const expected = SCOPES.map((scope) => {
    const { allows, roles } = PERMISSIONS[scope];
    return [`\`${scope}\``, allows, ...ROLES.map((role) => (roles.includes(role) ? 'x' : ''))];
  });
  assert.deepEqual(rows, expected);
});

test('a route that names no scope stops the start', async () => {
  async function start(config: { scope?: RouteScope }): Promise<void> {
    const options = { trustedProxies: [], observers: [], shutdown: neverShutDown() };
    const server = createServer(pino({ level: 'silent' }), options);
    requireRouteScopes(server);
    server.get('/nobody', { config }, () => 'ok');
    await server.ready();
    await server.close();
  }
  await assert.rejects(start({}), /the route GET \/nobody names no scope/);
  await start({ scope: 'public' });
});
