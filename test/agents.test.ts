import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { InjectOptions } from 'fastify';
import { listScopesOfRole, type RouteScope, type Scope } from '../src/access/index.ts';
import type { ProblemCode } from '../src/platform/http/index.ts';
import { developersOf, LIVE, NOWHERE, UNIT } from './support/developer.ts';
import { document } from './support/document.ts';
import { endpointsOf, type Endpoint } from './support/endpoints.ts';
import { build, type Answer } from './support/harness.ts';
import { withoutRequestId } from './support/neighbours.ts';
import { addPerson, browser, openSession } from './support/people.ts';
import { assertProblem } from './support/problem.ts';
import { readRows, run } from './support/sql.ts';

/*
 * Two agents of an account whose agents see only their own contacts. ROUTES has each route that has to do with contacts and
 * that an agent may call; a new one fails here until it has an entry.
 */

const service = await build({ after });
const developer = await developersOf(service)();
const all = await service.key(developer.slug, 'all');
const mine = await addPerson(service, { role: 'agent', slug: developer.slug });
const theirs = await addPerson(service, { role: 'agent', slug: developer.slug });
const { accountId } = mine;
await run(service.db, `update accounts set agents_see = 'own' where account_id = $1`, [accountId]);
const cookie = await openSession(service, mine);
const base = await service.app.listen({ port: 0, host: '127.0.0.1' });

type Request = InjectOptions & { url: string };
const at = (path: string): string => `/api/v1${path}`;
const asAll = (request: Request) => service.send({ ...request, key: all });
const asColleague = browser(service, await openSession(service, theirs));

/** A contact, and everything by which requests and answers name it. */
interface KnownContact {
  contactId: string;
  activityId: string;
  linkId: string;
  eventId: string;
  tagId: string;
  email: string;
  name: string;
  phone: string;
  note: string;
  etag: string;
  createdAt: string;
}

/** The texts that tell of a contact which the agent may not see. No answer has them, except those that the request has. */
const hidden: string[] = [];

/** Sends a request as the agent, and checks that the answer tells of no contact that they may not see. */
async function ask(request: Request): Promise<Answer> {
  const answer = await browser(service, cookie)(request);
  const sent = JSON.stringify(request);
  const said = JSON.stringify([answer.text, answer.headers]);
  for (const text of hidden)
    assert.ok(sent.includes(text) || !said.includes(text), `${request.url} tells ${text}: ${said}`);
  return answer;
}

let made = 0;

/** Makes a contact of a person with an activity, a tag, a link and events. */
async function makeContact(userId: string | null): Promise<KnownContact> {
  made += 1;
  const word = `q${String(made).padStart(4, '0')}x`;
  const own = {
    email: `${word}@${word}.example`,
    name: `Name${word} Family`,
    phone: `+6421${String(7_000_000 + made)}`,
  };
  const note = `Note of ${word}`;
  const payload = {
    ...own,
    companyName: `Company${word}`,
    notes: note,
    tags: ['Hot'],
    source: 'Website',
    buyerType: 'Investor',
    projectId: LIVE,
    unitId: UNIT,
    ...(userId !== null && { assignedAccountUserId: userId }),
  };
  const { status, body, text } = await asAll({ method: 'POST', url: at('/contacts'), payload });
  assert.equal(status, 201, text);
  const { contactId } = body;
  const url = at(`/contacts/${contactId}`);
  const { body: shown } = await asAll({ url });
  const { body: activities } = await asAll({ url: `${url}/activities` });
  const { body: events } = await asAll({ url: at(`/events?subject=${contactId}`) });
  const known = {
    contactId,
    activityId: activities.data[0].id,
    linkId: shown.links[0].id,
    eventId: events.data[0].id,
    tagId: shown.tags[0].id,
    ...own,
    note,
    etag: shown.etag,
    createdAt: shown.createdAt,
  };
  // The agent edits their own activities only.
  await run(
    service.db,
    `update activities set actor_type = 'user', actor_id = $1 where account_id = $2 and id = $3`,
    [mine.id, accountId, known.activityId],
  );
  return known;
}

async function makeHidden(): Promise<KnownContact> {
  const contact = await makeContact(theirs.id);
  const { contactId, activityId, linkId, eventId, email, name, phone, note } = contact;
  hidden.push(contactId, activityId, linkId, eventId, email, name, phone, note);
  return contact;
}

const UNKNOWN = {
  contactId: NOWHERE,
  activityId: NOWHERE.replace(/999$/, '998'),
  linkId: NOWHERE.replace(/999$/, '997'),
  eventId: NOWHERE.replace(/999$/, '996'),
};
const IDS = Object.keys(UNKNOWN) as (keyof typeof UNKNOWN)[];

/** Takes a contact by its id, or by that of something that belongs to it. */
interface RouteOfOne {
  code: ProblemCode;
  /** Makes requests that succeed for a contact that the agent may see. */
  requests: (contact: KnownContact) => Partial<Request>[];
}

/** Lists what the agent may see. `queries` has a value for each filter. */
interface RouteOfMany {
  filters: (contact: KnownContact) => Record<string, string[]>;
  /** Finds the contact of an item. */
  contactOf: (item: any) => string; // eslint-disable-line typescript/no-explicit-any
}

/** Has a test of its own below, or shows nothing of a contact. */
interface OtherRoute {
  because: string;
}

const json = (payload: object) => ({ payload });
const stale = { 'if-match': '"999"' };

const ROUTES: Record<string, RouteOfOne | RouteOfMany | OtherRoute> = {
  'GET /contacts': {
    contactOf: ({ id }) => id,
    filters: ({ contactId, email, name, phone, tagId, createdAt }) => ({
      contact: [contactId, `${contactId},${NOWHERE}`],
      q: [email, name.split(' ')[0] ?? '', phone, phone.slice(3), 'Family', 'q'.repeat(2)],
      stage: ['New', 'none'],
      source: ['Website'],
      buyerType: ['Investor'],
      tag: [tagId, 'none'],
      assignedTo: [theirs.id, mine.id, 'none', `${theirs.id},none`],
      project: [LIVE],
      unit: [UNIT],
      archived: ['any', 'true', 'false'],
      hasPhone: ['true', 'false'],
      createdAfter: ['2020-01-01T00:00:00Z', createdAt],
      createdBefore: ['2999-01-01T00:00:00Z', createdAt],
      lastActivityAfter: ['2020-01-01T00:00:00Z'],
      lastActivityBefore: ['2999-01-01T00:00:00Z'],
      updated_since: ['2020-01-01T00:00:00Z'],
      include: ['links'],
    }),
  },
  'GET /contacts/{contactId}': {
    code: 'contact_not_found',
    requests: ({ etag }) => [
      {},
      { query: { include: 'activities,provenance' } },
      { headers: { 'if-none-match': etag } },
      { headers: { 'if-none-match': '*' } },
    ],
  },
  'PATCH /contacts/{contactId}': {
    code: 'contact_not_found',
    requests: ({ etag, email }) => [
      { headers: { 'if-match': etag }, ...json({}) },
      json({ stage: 'Lost' }),
      json({ email }),
      json({ assignedAccountUserId: mine.id }),
      json({ assignedAccountUserId: null }),
    ],
  },
  'POST /contacts/{contactId}/archive': { code: 'contact_not_found', requests: () => [{}] },
  'POST /contacts/{contactId}/restore': { code: 'contact_not_found', requests: () => [{}] },
  'POST /contacts/{contactId}/tags': {
    code: 'contact_not_found',
    requests: ({ tagId }) => [json({ add: ['Cold'] }), json({ remove: [tagId] })],
  },
  'POST /contacts/{contactId}/links': {
    code: 'contact_not_found',
    requests: () => [json({ projectId: LIVE }), json({ projectId: LIVE, unitId: UNIT })],
  },
  'GET /contacts/{contactId}/links/{linkId}': { code: 'contact_not_found', requests: () => [{}] },
  'DELETE /contacts/{contactId}/links/{linkId}': {
    code: 'contact_not_found',
    requests: () => [{}],
  },
  'GET /contacts/{contactId}/activities': {
    code: 'contact_not_found',
    requests: () => [{}, { query: { count: 'true' } }, { query: { type: 'note' } }],
  },
  'GET /contacts/{contactId}/changes': {
    code: 'contact_not_found',
    requests: () => [{}, { query: { count: 'true' } }, { query: { field: 'stage' } }],
  },
  'POST /contacts/{contactId}/activities': {
    code: 'contact_not_found',
    requests: ({ contactId }) => [
      json({ type: 'call', body: 'Called.' }),
      { headers: { 'idempotency-key': contactId }, ...json({ type: 'note', body: 'Noted.' }) },
    ],
  },
  'GET /activities': {
    contactOf: ({ contactId }) => contactId,
    filters: ({ contactId }) => ({
      type: ['note'],
      actor: [mine.id],
      contact: [contactId],
      project: [LIVE],
      updated_since: ['2020-01-01T00:00:00Z'],
    }),
  },
  'GET /activities/{activityId}': { code: 'activity_not_found', requests: () => [{}] },
  'PATCH /activities/{activityId}': {
    code: 'activity_not_found',
    requests: () => [json({ body: 'Changed.' })],
  },
  'DELETE /activities/{activityId}': { code: 'activity_not_found', requests: () => [{}] },
  'GET /events/{eventId}': { code: 'event_not_found', requests: () => [{}] },
  'GET /events': { because: 'it is followed below, by pages, by a wait and as a stream' },
  'GET /events/head': { because: 'it shows the place of the latest event of the account' },
  'GET /tags/{tagId}': { because: 'its counts are below' },
  'GET /tags': { because: 'its counts are below' },
  'GET /sources': { because: 'its counts are below' },
  'GET /views': { because: 'a view has a filter, and no contacts' },
  'POST /views': { because: 'a view has a filter, and no contacts' },
  'GET /views/{viewId}': { because: 'a view has a filter, and no contacts' },
  'PATCH /views/{viewId}': { because: 'a view has a filter, and no contacts' },
  'DELETE /views/{viewId}': { because: 'a view has a filter, and no contacts' },
  'GET /stats/response': { because: 'its counts are in figures.test.ts' },
  'POST /contacts': { because: 'an import finds any contact by its email' },
  'POST /contacts/batch': { because: 'an import finds any contact by its email' },
};

const ofAgent = new Set<RouteScope>([...listScopesOfRole('agent'), 'any', 'session', 'public']);
const OF_CONTACTS = new Set<RouteScope>([
  'leads:import',
  'contacts:read',
  'contacts:write',
  'contacts:manage',
  'contacts:export',
  'contacts:erase',
  'events:read',
  'audit:read',
] satisfies Scope[]);

/** Whether the description of an operation, with the schemas that it refers to, has a member that names a contact. */
function namesContact({ method, path }: Endpoint): boolean {
  const own = path.replace('/api/v1', '').replaceAll(/:(\w+)/g, '{$1}');
  const { description: _, ...operation } = {
    description: '',
    ...document.paths[own]?.[method.toLowerCase()],
  };
  const seen = new Set<string>();
  function collect(text: string): string {
    const names = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(
      ([, name]) => name ?? '',
    );
    const added = names.filter((name) => name !== 'Problem' && !seen.has(name));
    for (const name of added) seen.add(name);
    return [
      text,
      ...added.map((each) => collect(JSON.stringify(document.components.schemas[each]))),
    ].join();
  }
  return /"contact\w*":/i.test(collect(JSON.stringify(operation)));
}

const endpoints = endpointsOf(document).filter(({ scope }) => ofAgent.has(scope));
const concerned = endpoints.filter(
  (each) =>
    OF_CONTACTS.has(each.scope) ||
    (each.scope !== 'any' &&
      each.scope !== 'session' &&
      each.scope !== 'public' &&
      namesContact(each)),
);

test('every route that an agent may call, and that has to do with contacts, is tried', () => {
  assert.deepEqual(concerned.map(({ name }) => name).toSorted(), Object.keys(ROUTES).toSorted());
});

function requestOf(name: string, ids: typeof UNKNOWN, more: Partial<Request>): Request {
  const [method = '', path = ''] = name.split(' ');
  const url = at(path).replaceAll(/\{(\w+)\}/g, (_, id: keyof typeof UNKNOWN) => ids[id]);
  return { method: method as 'GET', url, ...more };
}

/** Returns the text of an answer with the ids of the request replaced, so that two answers can be compared. */
function replaceIds(answer: Answer, ids: typeof UNKNOWN): string {
  return IDS.reduce(
    (text, id) => text.replaceAll(ids[id], id),
    JSON.stringify(withoutRequestId(answer)),
  );
}

/** The state of a contact as somebody reads it who sees all. */
async function stateOf({ contactId }: KnownContact) {
  const url = at(`/contacts/${contactId}`);
  const parts = [url, `${url}/activities`, `${url}/changes`, at(`/events?subject=${contactId}`)];
  const answers = await Promise.all(parts.map((each) => asAll({ url: each })));
  return answers.map(({ status, body }) => [status, body]);
}

for (const [name, route] of Object.entries(ROUTES).filter(
  (entry): entry is [string, RouteOfOne] => 'requests' in entry[1],
))
  describe(name, () => {
    test("of another agent's contact is the 404 of an unknown one, and changes nothing", async () => {
      const contact = await makeHidden();
      const before = await stateOf(contact);
      const requests = route.requests(contact);
      const isWrite = !name.startsWith('GET');
      for (const more of [...requests, ...(isWrite ? [{ ...requests[0], headers: stale }] : [])]) {
        const request = requestOf(name, contact, more);
        const answer = await ask(request);
        assertProblem(answer, route.code, request.url);
        const unknown = await ask(requestOf(name, UNKNOWN, more));
        assert.equal(replaceIds(answer, contact), replaceIds(unknown, UNKNOWN));
      }
      assert.deepEqual(await stateOf(contact), before);
    });

    for (const [whose, userId] of [
      ['their own contact', mine.id],
      ["nobody's contact", null],
    ] as const)
      test(`of ${whose} is answered`, async () => {
        for (const index of route.requests(await makeContact(userId)).keys()) {
          const contact = await makeContact(userId);
          const more = route.requests(contact)[index] ?? {};
          const { status, text } = await ask(requestOf(name, contact, more));
          assert.ok(status < 400, `${status} ${text}`);
        }
      });

    test('of a contact that has been assigned to another agent since is a 404', async () => {
      const contact = await makeContact(mine.id);
      const [more = {}] = route.requests(contact);
      const url = at(`/contacts/${contact.contactId}`);
      assert.equal((await ask({ url })).status, 200);
      const payload = { assignedAccountUserId: theirs.id };
      assert.equal((await asAll({ method: 'PATCH', url, payload })).status, 200);
      const request = requestOf(name, contact, more);
      assertProblem(await ask(request), route.code, request.url);
      hidden.push(contact.email);
    });
  });

interface Page {
  data: { id: string; contactId?: string }[];
  pagination: { nextCursor: string | null; totalCount: number };
}

/** Walks along the pages of a list. The total is the same on each. */
async function walk(send: typeof ask, path: string, query: string) {
  const items: Page['data'] = [];
  let cursor = '';
  for (;;) {
    const { status, body, text } = await send({
      url: `${at(path)}?limit=60&count=true&${query}${cursor}`,
    });
    assert.equal(status, 200, text);
    const { data, pagination } = body as Page;
    items.push(...data);
    if (pagination.nextCursor === null) return { items, total: pagination.totalCount };
    cursor = `&cursor=${encodeURIComponent(pagination.nextCursor)}`;
  }
}

/** The contacts that each of the following tests has beside those of the tests before. */
async function makeThree() {
  return {
    own: await makeContact(mine.id),
    free: await makeContact(null),
    other: await makeHidden(),
  };
}

/** Finds the ids of all contacts that the agent may see. */
async function listVisible(): Promise<Set<string>> {
  const rows = await readRows<{ id: string }>(
    service.db,
    `select id from contacts where account_id = $1
      and (assigned_account_user_id = $2 or assigned_account_user_id is null)`,
    [accountId, mine.id],
  );
  return new Set(rows.map(({ id }) => id));
}

for (const [name, { filters, contactOf }] of Object.entries(ROUTES).filter(
  (entry): entry is [string, RouteOfMany] => 'filters' in entry[1],
))
  describe(name, () => {
    const path = name.split(' ')[1] ?? '';
    const parameters = (document.paths[path]?.['get']?.parameters ?? []).filter(
      (each) => each.in === 'query',
    );
    const sorts = path === '/contacts' ? ['createdAt', 'updatedAt', 'lastActivityAt', 'name'] : [];
    const three: Record<string, KnownContact> = {};
    before(async () => void Object.assign(three, await makeThree()));
    const ofOther = () => filters(three['other'] as KnownContact);

    test('is tried with every filter', () => {
      const general = new Set(['limit', 'cursor', 'sort', 'count']);
      assert.deepEqual(
        parameters
          .map((each) => each.name)
          .filter((each) => !general.has(each))
          .toSorted(),
        Object.keys(ofOther()).toSorted(),
      );
    });

    test('lists, counts, searches, filters and sorts what somebody who sees all gets, without the rest', async () => {
      const visible = await listVisible();
      const queries = [
        '',
        ...Object.entries(ofOther()).flatMap(([filter, values]) =>
          values.map((value) => `${filter}=${encodeURIComponent(value)}`),
        ),
        ...sorts.flatMap((sort) => [`sort=${sort}`, `sort=-${sort}`]),
      ];
      let left = 0;
      for (const query of queries) {
        const expected = (await walk(asAll, path, query)).items;
        const seen = expected.filter((item) => visible.has(contactOf(item)));
        const found = await walk(ask, path, query);
        assert.deepEqual(found.items, seen, query);
        assert.equal(found.total, seen.length, query);
        left += expected.length - seen.length;
      }
      assert.ok(left > queries.length / 2);
    });

    test('finds nothing by what only a contact of another agent has', async () => {
      const { email, name: fullName, phone, contactId } = three['other'] as KnownContact;
      const queries =
        path === '/contacts'
          ? [`q=${email}`, `q=${fullName.split(' ')[0]}`, `q=${phone.slice(1)}`]
          : [`contact=${contactId}`];
      for (const query of [
        ...queries,
        ...(path === '/contacts' ? [`assignedTo=${theirs.id}`] : []),
      ])
        assert.deepEqual(await walk(ask, path, query), { items: [], total: 0 }, query);
    });

    test('goes on after a cursor of somebody who sees all', async () => {
      const { body } = await asAll({ url: `${at(path)}?limit=1` });
      const url = `${at(path)}?limit=100&cursor=${body.pagination.nextCursor}`;
      const visible = await listVisible();
      const answer = await ask({ url });
      assert.equal(answer.status, 200);
      assert.ok(answer.body.data.length > 0);
      for (const item of answer.body.data) assert.ok(visible.has(contactOf(item)));
    });
  });

describe('GET /tags and GET /sources', () => {
  test('count the contacts that the agent may see', async () => {
    const countsOf = async (send: typeof ask, path: string) => {
      const { body } = await send({ url: at(path) });
      if (path.startsWith('/tags/')) return body.contactCount as number;
      const rows = body.data as { id?: string; label: string | null; contactCount: number }[];
      const hot = rows.find(({ label }) => label === 'Hot' || path === '/sources');
      return hot?.contactCount ?? 0;
    };
    for (const path of ['/tags', `/tags/${(await makeContact(null)).tagId}`, '/sources']) {
      const [seen, total] = [await countsOf(ask, path), await countsOf(asAll, path)];
      await makeThree();
      assert.equal(await countsOf(asAll, path), total + 3, path);
      assert.equal(await countsOf(ask, path), seen + 2, path);
    }
  });

  test('tell nothing of when contacts of others came', async () => {
    const timesOf = async (send: typeof ask) => {
      const { firstAt, lastAt } = (await send({ url: at('/sources') })).body.data[0];
      return [firstAt, lastAt];
    };
    await makeContact(mine.id);
    const before = await timesOf(ask);
    await makeHidden();
    assert.deepEqual(await timesOf(ask), before);
    assert.notDeepEqual(await timesOf(asAll), before);
  });
});

interface Event {
  id: string;
  type: string;
  data: { id: string; contactId?: string; from?: string };
}

describe('events', () => {
  const contactOfEvent = ({ data: { id, contactId } }: Event) => contactId ?? id;
  const typesOf = (events: Event[]) => events.map(({ type }) => type);

  /** Opens a stream of events as the agent. `readUntil` returns its events up to the one with an id, and ends it. */
  async function openStream(query: string) {
    const { body } = await fetch(`${base}${at('/events')}${query}`, {
      headers: { cookie, accept: 'text/event-stream' },
    });
    const parts = body?.pipeThrough(new TextDecoderStream()) ?? assert.fail('no stream');
    return {
      async readUntil(id: string): Promise<Event[]> {
        let text = '';
        for await (const part of parts) {
          text += part;
          if (text.includes(id)) break;
        }
        return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
      },
    };
  }

  test('are those of contacts that the agent may see, in every way to read them', async () => {
    const { body: head } = await ask({ url: at('/events/head') });
    const waiting = ask({ url: at(`/events?after=${head.cursor}&wait=25&types=contact.created`) });
    const stream = await openStream(`?after=${head.cursor}`);
    const { other, own, free } = {
      other: await makeHidden(),
      own: await makeContact(mine.id),
      free: await makeContact(null),
    };
    // A single wait ends with the first event that passes.
    const waited = (await waiting).body.data as Event[];
    assert.ok(
      waited.length > 0 && waited.every((each) => contactOfEvent(each) !== other.contactId),
    );

    const { body } = await ask({ url: at(`/events?after=${head.cursor}&limit=1000`) });
    const events = body.data as Event[];
    assert.deepEqual(new Set(events.map(contactOfEvent)), new Set([own.contactId, free.contactId]));
    assert.deepEqual(
      (await ask({ url: at(`/events?after=${head.cursor}&subject=${other.contactId}`) })).body.data,
      [],
    );
    const everything = (await asAll({ url: at(`/events?after=${head.cursor}&limit=1000`) })).body
      .data as Event[];
    const seen = everything.filter((each) => contactOfEvent(each) !== other.contactId);
    assert.deepEqual(events, seen);
    const { body: shown } = await ask({
      url: at(`/events?after=${head.cursor}&limit=1000&include=object`),
    });
    assert.equal(shown.data.length, events.length);
    for (const { data, object } of shown.data as (Event & { object: { id: string } })[])
      assert.equal(object.id, data.id);
    for (const { id } of everything.filter((each) => contactOfEvent(each) === other.contactId)) {
      const url = at(`/events/${id}`);
      assertProblem(await ask({ url }), 'event_not_found', url);
    }

    const streamed = await stream.readUntil(events.at(-1)?.id ?? 'none');
    assert.deepEqual(streamed, events);
  });

  test('end with the right to see all contacts, also for a stream and a wait that go on', async () => {
    const setTo = async (agentsSee: string) => {
      const payload = { agentsSee };
      const answer = await asAll({ method: 'PATCH', url: at('/organization'), payload });
      assert.equal(answer.status, 200, answer.text);
    };
    await setTo('all');
    const { body: head } = await ask({ url: at('/events/head') });
    const waiting = ask({ url: at(`/events?after=${head.cursor}&wait=25&types=contact.*`) });
    const stream = await openStream(`?after=${head.cursor}&types=contact.*`);
    await setTo('own');
    await makeHidden();
    const own = await makeContact(mine.id);
    const events = await stream.readUntil(own.eventId);
    for (const event of [...events, ...((await waiting).body.data as Event[])])
      assert.equal(contactOfEvent(event), own.contactId);
  });

  test('contact.assigned reaches the person in from, and nothing else of that contact does afterwards', async () => {
    const contact = await makeContact(mine.id);
    const { body: head } = await ask({ url: at('/events/head') });
    const url = at(`/contacts/${contact.contactId}`);
    const payload = { assignedAccountUserId: theirs.id, stage: 'Lost' };
    assert.equal((await asAll({ method: 'PATCH', url, payload })).status, 200);
    await asColleague({
      method: 'POST',
      url: `${url}/activities`,
      payload: { type: 'note', body: 'Mine now.' },
    });
    const after = async (send: typeof ask) =>
      (await send({ url: at(`/events?after=${head.cursor}`) })).body.data as Event[];
    const [event, ...others] = await after(ask);
    assert.deepEqual(others, []);
    assert.deepEqual([event?.type, event?.data.id], ['contact.assigned', contact.contactId]);
    const withObjects = at(`/events?after=${head.cursor}&include=object`);
    assert.deepEqual((await ask({ url: withObjects })).body.data, [{ ...event, object: null }]);
    const { body: seen } = await asColleague({ url: withObjects });
    assert.equal(seen.data[0].object.id, contact.contactId);
    assert.equal((await ask({ url: at(`/events/${event?.id}`) })).status, 200);
    assert.equal((await ask({ url })).status, 404);
    // The agent who got it sees all.
    assert.deepEqual(
      new Set(typesOf(await after(asColleague))),
      new Set(['contact.updated', 'contact.stage_changed', 'contact.assigned', 'activity.created']),
    );
  });

  test('of a contact that is moved on between others do not reach the agent', async () => {
    const contact = await makeHidden();
    const third = await addPerson(service, { role: 'agent', slug: developer.slug });
    const { body: head } = await ask({ url: at('/events/head') });
    const url = at(`/contacts/${contact.contactId}`);
    await asAll({ method: 'PATCH', url, payload: { assignedAccountUserId: third.id } });
    assert.deepEqual(
      (await ask({ url: at(`/events?after=${head.cursor}&types=contact.*`) })).body.data,
      [],
    );
  });

  test('of a contact that was merged into one of another agent tell nothing of it', async () => {
    const survivor = await makeHidden();
    const duplicate = await makeContact(mine.id);
    await run(
      service.db,
      `update contacts set email_key = (select email_key from contacts where account_id = $1 and id = $2)
        where account_id = $1 and id = $3`,
      [accountId, survivor.contactId, duplicate.contactId],
    );
    const { body: head } = await ask({ url: at('/events/head') });
    const merge = at(`/contacts/${survivor.contactId}/merge`);
    const payload = { duplicateIds: [duplicate.contactId] };
    const merged = await asAll({ method: 'POST', url: merge, payload });
    assert.equal(merged.status, 200, merged.text);
    const { body } = await ask({
      url: at(`/events?after=${head.cursor}&types=contact.*,activity.*`),
    });
    assert.deepEqual(body.data, []);
    const url = at(`/contacts/${duplicate.contactId}`);
    const answer = await ask({ url });
    assertProblem(answer, 'contact_not_found', url);
    assert.equal(answer.body.mergedIntoId, undefined);
  });
});

describe('what an agent can infer', () => {
  test('from an email that a contact of another agent has: that it is in use, and not whose', async () => {
    const other = await makeHidden();
    const own = await makeContact(mine.id);
    const url = at(`/contacts/${own.contactId}`);
    const payload = { email: other.email };
    const answer = await ask({ method: 'PATCH', url, payload });
    assertProblem(answer, 'email_in_use', url);
    assert.deepEqual(answer.body.matchingContactIds, []);
    const free = await makeContact(null);
    const visible = await ask({ method: 'PATCH', url, payload: { email: free.email } });
    assert.deepEqual(visible.body.matchingContactIds, [free.contactId]);
  });

  test('from the Idempotency-Key of another agent: nothing', async () => {
    const other = await makeHidden();
    const request = {
      method: 'POST',
      url: at(`/contacts/${other.contactId}/activities`),
      headers: { 'idempotency-key': 'shared' },
      payload: { type: 'note', body: 'Theirs alone.' },
    } as const;
    assert.equal((await asColleague(request)).status, 201);
    const answer = await ask(request);
    assertProblem(answer, 'contact_not_found', request.url);
    assert.equal(answer.headers['idempotent-replayed'], undefined);
  });

  test('from the next request after a contact was assigned to another agent: nothing', async () => {
    const contact = await makeContact(mine.id);
    const url = at(`/contacts/${contact.contactId}`);
    const { headers } = await ask({ url });
    const ifMatch = { 'if-match': String(headers['etag']) };
    await asAll({ method: 'PATCH', url, payload: { assignedAccountUserId: theirs.id } });
    for (const request of [
      { url },
      { url, headers: { 'if-none-match': String(headers['etag']) } },
      { method: 'PATCH', url, headers: ifMatch, payload: { stage: 'Lost' } } as const,
    ]) {
      const answer = await ask(request);
      assertProblem(answer, 'contact_not_found', url);
      assert.equal(answer.headers['etag'], undefined);
    }
  });
});

describe('assigning', () => {
  test('a contact to another agent is refused, also through an import', async () => {
    const own = await makeContact(mine.id);
    const assignedAccountUserId = theirs.id;
    const url = at(`/contacts/${own.contactId}`);
    const changed = await ask({ method: 'PATCH', url, payload: { assignedAccountUserId } });
    assertProblem(changed, 'assignment_not_allowed', url);
    const free = await makeContact(null);
    for (const email of [free.email, 'new@assigned.example']) {
      const lead = { email, assignedAccountUserId };
      const single = await ask({ method: 'POST', url: at('/contacts'), payload: lead });
      assertProblem(single, 'assignment_not_allowed', at('/contacts'));
      const contacts = [lead, { email, assignedAccountUserId: mine.id }];
      const batch = await ask({
        method: 'POST',
        url: at('/contacts/batch?dryRun=true'),
        payload: { contacts },
      });
      const codes = batch.body.results.map(
        (each: { problem?: { code: string } }) => each.problem?.code,
      );
      assert.deepEqual(codes, ['assignment_not_allowed', undefined]);
    }
    assert.equal(
      (await ask({ url: at(`/contacts/${free.contactId}`) })).body.assignedAccountUserId,
      null,
    );
  });
});
