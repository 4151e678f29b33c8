import assert from 'node:assert/strict';
import { Agent, request as open, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { ROLES } from '../../src/access/index.ts';
import { accountIdOf } from './accounts.ts';
import { passTime } from './clock.ts';
import {
  developersOf,
  type Developer,
  LIVE,
  OTHER_LIVE,
  OTHER_USER,
  UNIT,
  USER,
} from './developer.ts';
import { checkDocumented, readBody, type Document } from './document.ts';
import { restoreContacts, restoreFiles, THEIRS } from './neighbours.ts';
import { requestsOf, type FuzzRequest, type Headers } from './fuzz-requests.ts';
import type { TestApp } from './harness.ts';
import { keyIdOf } from './keys.ts';
import { addPerson, PASSWORD, SAME_ORIGIN, openSession } from './people.ts';
import { run } from './sql.ts';

const AT_ONCE = 8;
const ANSWER_MAX_MS = 10_000;
/** The most attempts to shrink a failed run. Each attempt sends the same number of requests again. */
const SHRINKS_MAX = 100;

/** The seed of a run: FUZZ_SEED when it is set, a number or `random`, else `ours`. */
export function seedOf(ours: number): number {
  const asked = process.env['FUZZ_SEED'];
  if (asked === undefined) return ours;
  return asked === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(asked);
}

/**
 * Answers that random requests seldom cause, because their ids must belong together or their members must fit. Other tests cause
 * them.
 */
const RARE = new Set([
  'delete /me/sessions/{id} 204',
  'post /me/second-step/confirm 200',
  'delete /contacts/{contactId}/links/{linkId} 204',
  'delete /stock/projects/{projectId} 204',
  'post /contacts/bulk 200',
  'get /contacts/{contactId}/links/{linkId} 200',
  'post /contacts/{contactId}/links 200',
  'post /contacts/{contactId}/links 201',
  'post /contacts/{contactId}/merge 200',
  'post /keys 201',
  'post /media 200',
  'post /media 201',
  'post /keys/{keyId}/rotate 200',
  'patch /webhooks/{webhookId} 200',
  'post /webhooks 201',
  'post /webhooks/{webhookId}/deliveries/{deliveryId}/retry 202',
  'post /webhooks/{webhookId}/replay 202',
  'post /stock/projects/{projectId}/units 201',
  'post /stock/units/batch 200',
  'put /stock/projects/{projectId}/price-list.csv 200',
  'put /stock/projects/{projectId}/units/order 204',
]);

/** The successful answers that a document promises and a run causes: `post /contacts 201`. */
export function successesOf({ paths }: Document): string[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses, security = [] }]) =>
        Object.keys(responses)
          // A route that everybody may call needs the token of a link, which is shown only to the person who makes it.
          .filter((status) => security.length > 0 && status.startsWith('2'))
          .map((status) => `${method} ${path} ${status}`),
      ),
    )
    .filter((answer) => !RARE.has(answer));
}

/** A fuzz run has up to `MORE_TIMES` more rounds, each with `MORE_REQUESTS` requests for each answer that is still missing. */
const MORE_REQUESTS = 64;
const MORE_TIMES = 20;

/** The part of a document with the operations of these answers. */
function pickOperations(document: Document, answers: string[]): Document {
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).filter(([method]) =>
        answers.some((answer) => answer.startsWith(`${method} ${path} `)),
      ),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

/**
 * Sends requests made from the service's OpenAPI document, several at once, and checks each answer against that document.
 * Then sends more requests to the operations that have not succeeded, since most requests have some fault. Returns the number of
 * answers of each kind, such as `post /contacts 201`.
 */
export async function fuzz(
  service: TestApp,
  { requests, seed }: { requests: number; seed: number },
): Promise<Map<string, number>> {
  const { app, log } = service;
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const document = app.swagger() as unknown as Document;
  const seen = new Map<string, number>();

  async function exchange(request: FuzzRequest): Promise<void> {
    await sendChecked(request).catch((cause: unknown) => {
      throw new Error(`not answered as documented: ${describeRequest(request)}`, { cause });
    });
  }

  async function sendChecked(request: FuzzRequest): Promise<void> {
    const { method } = request;
    // A long poll would take up the time of the answers.
    const target = request.target.replace(/wait=\d+/g, 'wait=0');
    const caller = sessions.resolve(request.headers);
    const response = await send(port, agent, { ...request, ...caller, target });
    const { statusCode: status = 0, headers } = response;
    const body = decoded(await buffer(response), headers['content-encoding']);
    const path = target.split('?', 1)[0] ?? '';
    assert.ok(status < 500, `${status} ${body}`);
    assert.match(String(headers['x-request-id']), /^[0-9a-z]+-[0-9a-z]+$/);
    const contentType = headers['content-type'] ?? '';
    const operation = checkDocumented({
      method,
      path,
      status,
      contentType,
      body: readBody(contentType, body),
    });
    if (status >= 400 && body !== '')
      assert.equal(contentType, 'application/problem+json; charset=utf-8');
    const name = `${operation ?? 'elsewhere'} ${status}`;
    seen.set(name, (seen.get(name) ?? 0) + 1);
  }

  const { developer, ...accounts } = await makeAccounts(service);
  const sessions = createSessions(service, developer);
  let runs = 0;
  let restores = 0;

  async function sendMany(part: Document, count: number, seedOfPart: number): Promise<void> {
    const one = requestsOf(part, accounts);
    const some = fc.limitShrink(fc.tuple(...Array<typeof one>(AT_ONCE - 1).fill(one)), SHRINKS_MAX);
    const property = fc.asyncProperty(some, async (each) => {
      // Requests erase and merge the contacts that they name, and end sessions.
      if (runs++ % RUNS_BETWEEN_RESTORES === 0) {
        await restoreContacts(service, developer);
        await restoreFiles(service, developer, restores++ % 2 === 0 ? '/start' : '/undo');
        await sessions.restore();
      }
      // The first request is sent twice, like by a client that does not wait for the answer.
      await Promise.all([...each, ...each.slice(0, 1)].map(exchange));
    });
    await fc.assert(property, { seed: seedOfPart, numRuns: Math.ceil(count / AT_ONCE) });
  }

  try {
    await sendMany(document, requests, seed);
    for (let time = 1; time <= MORE_TIMES; time += 1) {
      const missing = successesOf(document).filter((answer) => !seen.has(answer));
      if (missing.length === 0) break;
      const part = pickOperations(document, missing);
      await sendMany(part, MORE_REQUESTS * missing.length, seed + time);
    }
  } finally {
    agent.destroy();
  }
  const errors = log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
  assert.deepEqual(errors, []);
  return seen;
}

/** A restore takes as long as some requests. */
const RUNS_BETWEEN_RESTORES = 3;

/** A request as a failed run prints it. */
function describeRequest({ method, target, headers, body }: FuzzRequest): string {
  return JSON.stringify([method, target, headers, body.toString('latin1')], shortened);
}

const shortened = (_name: string, value: unknown) =>
  typeof value === 'string' && value.length > 2_000 ? `${value.slice(0, 2_000)}…` : value;

function decoded(bytes: Buffer, coding: string | undefined): string {
  // The answer to a HEAD names the coding of a body that is not sent.
  if (coding === undefined || bytes.length === 0) return bytes.toString();
  return (coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString();
}

/** Has leads refused, and returns the ids of their imports. */
async function refuseLeads({ send }: TestApp, key: string): Promise<string[]> {
  for (const email of ['a', 'b', 'c'])
    await send({ method: 'POST', url: '/api/v1/contacts', key, payload: { email } });
  const { body } = await send({ url: '/api/v1/imports', key });
  return body.data.map(({ id }: { id: string }) => id);
}

/**
 * Keeps a signed-in person of each role. A request names the role in place of the cookie, because the session may have ended
 * since the request was made.
 */
function createSessions(service: TestApp, { slug }: Developer) {
  const cookies = new Map<string, string>();

  /** For each role whose session has ended, adds a person and signs them in. */
  async function restore(): Promise<void> {
    // Let the limits on wrong passwords expire, and let everybody sign in without a second step.
    passTime(61 * 60_000);
    await run(service.db, `update accounts set second_step_for = 'nobody' where account_id = $1`, [
      await accountIdOf(service.db, { slug }),
    ]);
    for (const role of ROLES) {
      const headers = { cookie: cookies.get(role) ?? '' };
      const { status } = await service.send({ url: '/api/v1/me', headers });
      if (status !== 200)
        cookies.set(role, await openSession(service, await addPerson(service, { role, slug })));
    }
  }

  /** Replaces the role in the header by the cookie. */
  function resolve(headers: Headers): { headers: Headers } {
    const cookie = cookies.get(String(headers['cookie']));
    return { headers: { ...headers, ...(cookie !== undefined && { cookie }) } };
  }

  return { restore, resolve };
}

/** Headers by which a browser says where a request comes from, and a client that only seems to be one. */
const SITES: fc.Arbitrary<Headers> = fc.oneof(
  { arbitrary: fc.constant<Headers>(SAME_ORIGIN), weight: 12 },
  {
    arbitrary: fc.constantFrom<Headers[]>(
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': ['same-origin', 'cross-site'] },
      { 'sec-fetch-site': '', origin: 'null' },
      { origin: 'http://localhost:3000' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '\u00E9://[' },
      { origin: ['http://localhost:3000', 'https://evil.example'] },
    ),
    weight: 4,
  },
);

const people = fc
  .tuple(
    fc.constantFrom(
      'owner',
      'owner',
      ...ROLES,
      'offplan=x',
      'offplan=; offplan',
      '__Host-offplan=x',
    ),
    SITES,
  )
  .map(([cookie, site]): Headers => ({ cookie, ...site }));

/** Makes accounts with projects, units and users, an email that two contacts share, and keys of each kind. */
async function makeAccounts(service: TestApp) {
  const makeDeveloper = developersOf(service);
  const twin = { email: 'twin@example.com' };
  const known = { email: 'known@example.com' };
  const developer = await makeDeveloper([twin, twin, known]);
  const { slug, key } = developer;
  const other = await makeDeveloper();
  const read = await service.key(slug, 'read');
  const all = await service.key(slug, 'all');
  const importIds = await refuseLeads(service, all);
  const { body: events } = await service.send({ url: '/api/v1/events', key: all });
  // One is revoked sooner or later, so that it cannot be rotated.
  const spares = [
    await service.key(slug, 'read'),
    await service.key(slug, 'all'),
    await service.key(slug, 'all'),
  ];
  const spareKeyIds = await Promise.all(spares.map((each) => keyIdOf(service.db, each)));
  const bearer = (each: string) => fc.constant<Headers>({ authorization: `Bearer ${each}` });
  return {
    developer,
    callers: fc.oneof(
      { arbitrary: bearer(all), weight: 30 },
      { arbitrary: people, weight: 30 },
      { arbitrary: bearer(key), weight: 8 },
      { arbitrary: bearer(other.key), weight: 3 },
      { arbitrary: bearer(read), weight: 3 },
      // A key wins over a session.
      { arbitrary: fc.tuple(bearer(read), people).map(([a, b]) => ({ ...b, ...a })), weight: 1 },
      {
        arbitrary: fc.constantFrom<Headers[]>(
          {},
          ...[
            '',
            'Bearer',
            'Basic eDp4',
            `Bearer ${key}x`,
            `bearer  ${key}`,
            'Bearer \u00E9',
            `Bearer ${'0'.repeat(9_000)}`,
          ].map((authorization) => ({ authorization })),
        ),
        weight: 2,
      },
    ),
    known: {
      email: [twin.email, known.email, known.email],
      slug: ['harbourlight', 'kauri-rise', 'matai-lane'],
      projectId: [LIVE, LIVE, OTHER_LIVE],
      unitId: [UNIT],
      importId: importIds,
      eventId: events.data.map(({ id }: { id: string }) => id),
      wait: ['0'],
      contactId: [THEIRS.contact],
      duplicateIds: [THEIRS.contact],
      linkId: [THEIRS.link],
      tagId: [THEIRS.tag],
      viewId: [THEIRS.view],
      sha256: [THEIRS.picture],
      fileId: [THEIRS.file],
      into: ['0196a24b-34ec-7db6-924f-03249bebad2c'],
      activityId: [THEIRS.activity],
      limit: ['1', '20'],
      assignedAccountUserId: [USER],
      userId: [USER, OTHER_USER],
      keyId: spareKeyIds,
      webhookId: [THEIRS.webhook],
      deliveryId: [THEIRS.delivery],
      // The text of a key can be anything. No request rotates this one.
      key: [read],
      account: [slug],
      password: [PASSWORD],
      current: [PASSWORD],
      region: ['Wellington'],
    },
  };
}

function send(port: number, agent: Agent, request: FuzzRequest): Promise<IncomingMessage> {
  const { method, target: path, headers: given, body, isChunked } = request;
  const framing = isChunked
    ? { 'transfer-encoding': 'chunked' }
    : { 'content-length': String(body.length) };
  const headers = { ...given, ...framing };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(ANSWER_MAX_MS);
    const sent = open({ host: '127.0.0.1', port, agent, method, path, headers, signal });
    sent.once('error', reject);
    sent.once('response', resolve);
    sent.once('upgrade', () => reject(new Error('the connection was given another protocol')));
    sent.end(body);
  });
}
