import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { clearStockClockCache } from '../../src/accounts/index.ts';
import { SCOPES } from '../../src/access/index.ts';
import { issueKey, revokeKey, listKeys } from '../../src/keys/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { expireLookUps } from '../support/clock.ts';
import { developersOf } from '../support/developer.ts';
import { document } from '../support/document.ts';
import { keyEndpointsOf, type Endpoint } from '../support/endpoints.ts';
import { build, type Answer } from '../support/harness.ts';
import { mistyped, unknownKey } from '../support/keys.ts';
import {
  EXAMPLE,
  EXAMPLE_CONTACT,
  neighbour,
  restoreContacts,
  restoreFiles,
  restoreWebhooks,
  withoutRequestId,
} from '../support/neighbours.ts';
import { assertProblem } from '../support/problem.ts';
import { makeRequest, nameOf, REFERENCES, referencesOf } from '../support/references.ts';
import { KEY_LOOK_UP, statementsOf } from '../support/statements.ts';

/*
 * The endpoints and the places where each takes an id are read from the OpenAPI document: a new one is tried here, and
 * fails until test/support/references.ts has a foreign id to try it with.
 */

const service = await build({ after });
const { db } = service;
// The examples of the document change this contact.
const mine = await developersOf(service)([{ id: EXAMPLE_CONTACT, email: 'mine@example.com' }]);
const theirs = await neighbour(service);
const myId = await accountIdOf(db, mine);
const theirId = await accountIdOf(db, theirs);
await restoreFiles(service, mine, '/start', [EXAMPLE]);
await restoreWebhooks(service, mine.slug, { ids: [EXAMPLE], sequences: [] });
const endpoints = keyEndpointsOf(document);

/** The code of a refused request, or of the one refused import in an answer. */
function codeOf({ status, body }: Answer): string | undefined {
  return status >= 400 ? body.code : body?.results?.[0]?.problem?.code;
}

/** Nothing here may change this account. */
const exportedMine = await mine.exported();

const issue = (accountId: string, access: 'read' | 'read-write', expiresAt: Date | null = null) =>
  issueKey(db, accountId, { name: 'matrix', access, expiresAt });

const readKey = await issue(myId, 'read');

/** The accesses that include the scope of an endpoint; else its scope. */
function accessesOf({ scope }: Endpoint): string[] {
  if (scope === 'stock:read' || scope === 'any') return ['read', 'read-write'];
  return scope === 'leads:import' ? ['read-write'] : [scope];
}

/** The keys of `findKey`, by account and access. */
const keys = new Map<string, Promise<string>>();

/** Returns a key of an account that may call an endpoint. */
function findKey(endpoint: Endpoint, accountId: string, access = accessesOf(endpoint)[0] ?? '') {
  const name = `${accountId} ${access}`;
  const key = keys.get(name) ?? issueFor(accountId, access);
  keys.set(name, key);
  return key;
}

function issueFor(accountId: string, access: string): Promise<string> {
  if (access === 'read' || access === 'read-write') return issue(accountId, access);
  // A key grants only scopes that it has, and finds an event of a contact only when it may read contacts.
  const needed = {
    'users:write': SCOPES,
    'keys:write': SCOPES,
    // A webhook gets only events that its maker may read.
    'webhooks:write': SCOPES,
    'events:read': ['events:read', 'contacts:read'],
    // The views of these tests are shared.
    'contacts:read': ['contacts:read', 'settings:write'],
  };
  const own: readonly string[] = Reflect.get(needed, access) ?? [access];
  const scopes = SCOPES.filter((scope) => own.includes(scope));
  return issueKey(db, accountId, { name: 'matrix', scopes });
}

/** Every key that was tried, and every answer. No answer may contain a key. */
const tried = new Set<string>();
const answers: Answer[] = [];

async function revoked(): Promise<string> {
  const key = await issue(myId, 'read-write');
  const last = (await listKeys(db, myId)).at(-1);
  await revokeKey(db, myId, last?.id ?? '');
  return key;
}

const INVALID: Record<string, string> = {
  malformed: 'offplan_no-key',
  'with a wrong checksum': mistyped(await issue(myId, 'read-write')),
  unknown: unknownKey(myId),
  'unknown, of no account': unknownKey(),
  expired: await issue(myId, 'read-write', new Date(Date.now() - 1)),
  revoked: await revoked(),
};

/** Sends a request with a key. It lets the caches of keys and stock clocks expire first, so that each request reads the same tables. */
async function ask(
  request: ReturnType<Endpoint['request']>,
  key: string | undefined,
): Promise<{ answer: Answer; said: object; statements: string[] }> {
  if (key !== undefined) tried.add(key);
  let answer: Answer | undefined;
  expireLookUps();
  clearStockClockCache(db);
  const statements = await statementsOf(async () => {
    answer = await service.send({
      ...request,
      // A new address each time: the limit of failures counts by address.
      remoteAddress: `10.0.${answers.length >> 8}.${answers.length & 255}`,
      ...(key !== undefined && { key }),
    });
  });
  assert.ok(answer);
  answers.push(answer);
  // On a slow machine the key leaves the cache during the request, and is looked up again.
  const others = statements.filter(
    (name, index) => name !== KEY_LOOK_UP || index === statements.indexOf(name),
  );
  return { answer, said: withoutRequestId(answer), statements: others };
}

/** The requests that an endpoint is tried with: its example, and one with each foreign and unknown id in each place. */
function requestsOf(endpoint: Endpoint) {
  const ids = endpoint.idPlaces.flatMap((place) =>
    referencesOf(endpoint, place).flatMap(({ foreign, unknown, beside }) =>
      [foreign, unknown].map((id) => makeRequest(endpoint, place, id, beside)),
    ),
  );
  return [endpoint.request(), ...ids];
}

/** Restores the rows of the other account that requests to an endpoint name. */
async function restore({ name }: Endpoint, linkedId?: string): Promise<void> {
  await restoreContacts(service, theirs, linkedId);
  await restoreFiles(service, theirs, name);
}

/** The kinds that are refused by the text of the key alone, without a query. */
const BY_TEXT = new Set(['malformed', 'with a wrong checksum']);

/** The answers to the key `x`, by the URL: those to every other invalid key must be the same. */
const refusals = new Map<string, object>();

async function refusalOf(request: ReturnType<Endpoint['request']>): Promise<object> {
  const refusal = refusals.get(request.url) ?? (await ask(request, 'x')).said;
  refusals.set(request.url, refusal);
  return refusal;
}

test('every place that takes an id is tried with an id of another account', () => {
  const places = endpoints.flatMap((endpoint) =>
    endpoint.idPlaces.map((place) => nameOf(endpoint, place)),
  );
  assert.deepEqual([...new Set(places)].toSorted(), Object.keys(REFERENCES).toSorted());
  assert.ok(endpoints.length >= 4);
});

for (const endpoint of endpoints)
  describe(endpoint.name, () => {
    let exportedTheirs: unknown;
    before(async () => void (exportedTheirs = await theirs.exported()));

    test('without a key is the same 401, whatever ids are in it', async () => {
      for (const request of requestsOf(endpoint)) {
        const { answer, statements } = await ask(request, undefined);
        assertProblem(answer, 'missing_api_key', request.url);
        assert.deepEqual(statements, []);
      }
    });

    for (const [kind, key] of Object.entries(INVALID))
      test(`with a key that is ${kind} is the same 401, whatever ids are in it`, async () => {
        for (const request of requestsOf(endpoint)) {
          const { answer, said, statements } = await ask(request, key);
          assertProblem(answer, 'invalid_api_key', request.url);
          assert.deepEqual(said, await refusalOf(request));
          assert.deepEqual(statements, BY_TEXT.has(kind) ? [] : [KEY_LOOK_UP]);
        }
      });

    if (!accessesOf(endpoint).includes('read'))
      test('with a read key is a 403 before any other query, whatever ids are in it', async () => {
        for (const request of requestsOf(endpoint)) {
          const { answer, statements } = await ask(request, readKey);
          assertProblem(answer, 'insufficient_access', request.url);
          assert.deepEqual(statements, [KEY_LOOK_UP]);
        }
      });

    for (const access of accessesOf(endpoint))
      for (const place of endpoint.idPlaces)
        for (const { foreign, unknown, code, beside } of referencesOf(endpoint, place))
          test(`with ${access} gives the same answer by the same queries for a foreign and an unknown id: ${place.join('/')}`, async () => {
            const key = await findKey(endpoint, myId, access);
            // The first import of an account may run other statements than the next ones.
            await ask(makeRequest(endpoint, place, unknown, beside), key);
            const [a, b] = [
              await ask(makeRequest(endpoint, place, foreign, beside), key),
              await ask(makeRequest(endpoint, place, unknown, beside), key),
            ];
            assert.equal(codeOf(a.answer), code);
            const but = ({ said }: typeof a, id: string) => JSON.stringify(said).replaceAll(id, '');
            assert.equal(but(a, foreign), but(b, unknown));
            assert.ok(a.statements.length > 1);
            assert.deepEqual(a.statements, b.statements);
          });

    test('with none of these keys changes anything in either account', async () => {
      assert.deepEqual(await mine.exported(), exportedMine);
      assert.deepEqual(await theirs.exported(), exportedTheirs);
    });

    test("with the other account's key finds that account's ids and changes nothing here", async () => {
      const key = await findKey(endpoint, theirId);
      let isChanged = true;
      for (const place of endpoint.idPlaces)
        for (const { foreign, unknown, code, besideTheirs } of referencesOf(endpoint, place)) {
          if (isChanged) await restore(endpoint);
          const own = await ask(makeRequest(endpoint, place, foreign, besideTheirs), key);
          assert.ok(own.answer.status < 300 && codeOf(own.answer) === undefined, own.answer.text);
          const none = await ask(makeRequest(endpoint, place, unknown, besideTheirs), key);
          assert.equal(codeOf(none.answer), code);
          isChanged = endpoint.writes;
        }
      await restore(endpoint, EXAMPLE_CONTACT);
      const { answer } = await ask(endpoint.request(), key);
      assert.ok(answer.status < 300, answer.text);
      assert.ok(!answer.text.includes('Tūī Ridge Limited'));
      assert.deepEqual(await mine.exported(), exportedMine);
    });
  });

test('none of these keys is in the log, an answer or an export', async () => {
  assert.ok(tried.size > 20 && service.log.length > 1_000);
  const exports = [await mine.exported(), await theirs.exported()];
  // A new key is shown once, and begins with the same account.
  const others = answers.filter(({ body }) => body?.key === undefined);
  const printed = [
    ...service.log,
    ...others.map((each) => JSON.stringify(each)),
    JSON.stringify(exports),
  ];
  const text = printed.join('\n');
  // Only these words are long enough for a part of a key. To search the whole text for each key would take most of this file's time.
  const words = text.match(/\w{20,}/g)?.join('\n') ?? '';
  for (const key of tried)
    if (key.length > 20)
      for (const part of [key.slice(8, 28), key.slice(-28)]) {
        assert.match(part, /^\w{20,}$/);
        assert.ok(!words.includes(part));
      }
  assert.ok(!text.includes('offplan_no-key'));
});
