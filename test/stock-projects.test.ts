import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { deleteOldEvents } from '../src/events/index.ts';
import { testAccountsOf, type Api } from './support/test-accounts.ts';
import { ARCHIVED, DRAFT, DRAFT_UNIT, LIVE, NOWHERE, OTHER_LIVE } from './support/developer.ts';
import { readChanges, readEvents } from './support/event-log.ts';
import { build } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);
const { db } = service;
const PROJECTS = '/api/v1/stock/projects';

const COMPLETE = {
  developmentDescription: 'Twelve townhouses.',
  estimatedCompletionDate: '2028-06-30',
  addressLine1: '1 Ridge Road',
  postalCode: '6011',
  latitude: -41.29,
  longitude: 174.77,
  cityName: 'Wellington',
  regionName: 'Te Upoko o te Ika / Wellington',
  suburbName: 'Te Aro',
  projectWebsiteUrl: 'https://tuiridge.example/ridge-road',
};

/** Makes an account with a program that edits projects and reads the stock endpoints. */
async function setUp() {
  const account = await makeAccount();
  const api = await account.program('projects:write', 'stock:read');
  const latest = async () => (await readEvents(db, account.accountId)).at(-1)?.sequence ?? 0;
  const eventsSince = async (sequence: number) =>
    (await readEvents(db, account.accountId)).filter((event) => event.sequence > sequence);
  return { ...account, api, latest, eventsSince };
}

const pathOf = (id: string): string => `/stock/projects/${id}`;

async function create(api: Api, fields: object = {}) {
  const slug = `project-${randomUUID()}`;
  const answer = await api.post('/stock/projects', { slug, name: 'Ridge Road', ...fields });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

const slugsOf = async (api: Api): Promise<string[]> =>
  (await api.get('/stocklist')).body.projects.map(({ slug }: { slug: string }) => slug);

describe('POST /stock/projects', () => {
  test('makes a draft of a slug and a name, which websites do not see', async () => {
    const { api, latest, eventsSince, accountId } = await setUp();
    const before = await latest();
    const answer = await api.post('/stock/projects', { slug: 'ridge-road', name: 'Ridge Road' });
    const { status, headers, body } = answer;
    assert.equal(status, 201);
    assert.deepEqual(
      [headers['location'], headers['etag'], body.etag],
      [`${PROJECTS}/${body.id}`, '"1"', '"1"'],
    );
    assert.deepEqual(body, {
      id: body.id,
      slug: 'ridge-road',
      name: 'Ridge Road',
      publication: 'draft',
      status: 'Coming Soon',
      developmentDescription: null,
      estimatedCompletionDate: null,
      addressLine1: null,
      addressLine2: null,
      postalCode: null,
      latitude: null,
      longitude: null,
      cityName: null,
      regionName: null,
      regionSlug: null,
      suburbName: null,
      projectWebsiteUrl: null,
      heroImage: null,
      galleryImages: [],
      relatedProjectIds: [],
      unitCount: 0,
      availableUnitCount: 0,
      unitCounts: {},
      priceFrom: null,
      priceTo: null,
      priceCurrency: null,
      createdAt: body.createdAt,
      updatedAt: body.updatedAt,
      etag: '"1"',
    });
    assert.ok(Math.abs(Date.parse(body.createdAt) - Date.now()) < 60_000);
    assert.deepEqual((await api.get(pathOf(body.id))).body, body);
    assert.ok(!(await slugsOf(api)).includes('ridge-road'));
    assert.equal((await api.get('/projects/ridge-road')).status, 404);
    const [event, ...more] = await eventsSince(before);
    assert.deepEqual([event?.type, event?.subject, more], ['project.created', body.id, []]);
    const [change] = await readChanges(db, accountId, body.id);
    assert.deepEqual(change?.after, {
      slug: 'ridge-road',
      name: 'Ridge Road',
      publication: 'draft',
      status: 'Coming Soon',
    });
  });

  test('refuses a date of completion in the year 27, which somebody typed with two digits', async () => {
    const { api } = await setUp();
    const estimatedCompletionDate = '0027-06-30';
    const answer = await api.patch(pathOf(LIVE), { estimatedCompletionDate });
    const { errors } = assertProblem(answer, 'invalid_request', `/api/v1${pathOf(LIVE)}`);
    const detail = 'estimatedCompletionDate must not be before the year 1900.';
    assert.deepEqual(errors, [{ pointer: '/estimatedCompletionDate', detail }]);
  });

  test('refuses a slug that another project of the account has, and takes that of a neighbour', async () => {
    const { api } = await setUp();
    const taken = await api.post('/stock/projects', { slug: 'harbourlight', name: 'Mine' });
    assertProblem(taken, 'slug_taken', PROJECTS);
    const neighbour = await setUp();
    const { body } = await neighbour.api.post('/stock/projects', { slug: 'free', name: 'Free' });
    assert.equal((await create(api, { slug: 'free' })).slug, body.slug);
  });

  test('with an Idempotency-Key makes one project, however often it is sent', async () => {
    const { api } = await setUp();
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => api.post('/stock/projects', { slug: 'once', name: 'Once' }, headers);
    const [first, ...others] = [await send(), await send(), await send()];
    for (const other of others) {
      assert.deepEqual([other.status, other.body], [201, first?.body]);
      assert.equal(other.headers['idempotent-replayed'], 'true');
    }
    const found = await api.get('/stock/projects?q=Once&count=true');
    assert.equal(found.body.pagination.totalCount, 1);
  });

  test('refuses what it does not know or cannot take, naming each field', async () => {
    const { api } = await setUp();
    const refused = await api.post('/stock/projects', {
      slug: 'No Slug',
      name: ' ',
      publication: 'live',
      unitCounts: {},
      latitude: 91,
      addressLine1: 'x'.repeat(1_001),
      galleryImages: Array.from({ length: 101 }, (_, n) => ({ key: `${n}.jpg` })),
      relatedProjectIds: Array.from({ length: 51 }, () => randomUUID()),
    });
    const { errors } = assertProblem(refused, 'invalid_request', PROJECTS);
    assert.deepEqual(
      new Set(errors?.map(({ pointer }) => pointer)),
      new Set([
        '/publication',
        '/unitCounts',
        '/slug',
        '/name',
        '/latitude',
        '/addressLine1',
        '/galleryImages',
        '/relatedProjectIds',
      ]),
    );
    const long = { slug: 'a', name: 'A', developmentDescription: 'ā'.repeat(32_769) };
    const tooLong = assertProblem(
      await api.post('/stock/projects', long),
      'invalid_request',
      PROJECTS,
    );
    assert.equal(tooLong.errors?.[0]?.pointer, '/developmentDescription');
  });
});

describe('publishing', () => {
  test('names each field that the stock endpoints need, and shows the project at the next request', async () => {
    const { api, latest, eventsSince } = await setUp();
    const { id, slug } = await create(api);
    const path = `${pathOf(id)}/publish`;
    const refused = assertProblem(await api.post(path), 'project_incomplete', `/api/v1${path}`);
    assert.deepEqual(
      refused.errors?.map(({ pointer }) => pointer).toSorted(),
      [...Object.keys(COMPLETE), 'regionSlug'].map((field) => `/${field}`).toSorted(),
    );
    await api.patch(pathOf(id), COMPLETE);
    assert.ok(!(await slugsOf(api)).includes(slug));
    const before = await latest();
    const published = await api.post(path);
    assert.deepEqual([published.status, published.body.publication], [200, 'live']);
    assert.equal((await slugsOf(api))[0], slug);
    const { project } = (await api.get(`/projects/${slug}`)).body;
    assert.equal(project.regionSlug, 'te-upoko-o-te-ika-wellington');
    assert.deepEqual(
      (await eventsSince(before)).map(({ type, data }) => [type, data]),
      [['project.published', { slug }]],
    );
    const again = await api.post(path);
    assert.deepEqual([again.status, again.body], [200, published.body]);
  });

  test('a region slug that was made from the region changes with it, and a chosen one stays', async () => {
    const { api } = await setUp();
    const { id } = await create(api);
    const patch = async (changes: object): Promise<string | null> => {
      const { status, body, text } = await api.patch(pathOf(id), changes);
      assert.equal(status, 200, text);
      return body.regionSlug;
    };
    assert.equal(await patch({ regionName: 'Aukland' }), 'aukland');
    assert.equal(await patch({ regionName: 'Auckland' }), 'auckland');
    assert.equal(await patch({ cityName: 'Auckland' }), 'auckland');
    assert.equal(await patch({ regionName: '東京' }), null);
    assert.equal(await patch({ regionName: 'Northland', regionSlug: 'far-north' }), 'far-north');
    assert.equal(await patch({ regionName: 'Te Tai Tokerau' }), 'far-north');
    assert.equal(await patch({ regionSlug: null }), 'te-tai-tokerau');
  });

  test('a live project keeps what the stock endpoints show', async () => {
    const { api } = await setUp();
    const path = pathOf(LIVE);
    const changes = { latitude: null, cityName: ' ', addressLine2: null };
    const refused = await api.patch(path, changes);
    const { errors } = assertProblem(refused, 'project_incomplete', `/api/v1${path}`);
    assert.deepEqual(
      errors?.map(({ pointer }) => pointer),
      ['/latitude', '/cityName'],
    );
  });

  test('unpublish and archive hide it at the next request, and publish shows it again', async () => {
    const { api } = await setUp();
    for (const [verb, publication] of [
      ['unpublish', 'draft'],
      ['archive', 'archived'],
    ] as const) {
      assert.ok((await slugsOf(api)).includes('harbourlight'));
      const { body } = await api.post(`${pathOf(LIVE)}/${verb}`);
      assert.equal(body.publication, publication);
      assert.ok(!(await slugsOf(api)).includes('harbourlight'));
      assert.equal((await api.get('/projects/harbourlight')).status, 404);
      const { body: found } = await api.get(`/stock/projects?publication=${publication}`);
      assert.ok(found.data.some(({ id }: { id: string }) => id === LIVE));
      await api.post(`${pathOf(LIVE)}/publish`);
    }
    assert.ok((await slugsOf(api)).includes('harbourlight'));
  });
});

describe('PATCH /stock/projects/:id', () => {
  test('shows the change in the stocklist and in the detail at the next request', async () => {
    const { api } = await setUp();
    const { body: before } = await api.get('/stocklist');
    const { status, headers, body } = await api.patch(pathOf(LIVE), {
      name: 'Harbourlight Two',
      status: 'Sold Out',
    });
    assert.deepEqual([status, headers['etag']], [200, body.etag]);
    const [first, ...others] = (await api.get('/stocklist')).body.projects;
    assert.deepEqual([first.name, first.status], ['Harbourlight Two', 'Sold Out']);
    assert.equal(first.updatedAt, body.updatedAt);
    assert.deepEqual(
      others,
      before.projects.filter(({ id }: { id: string }) => id !== LIVE),
    );
    const { project } = (await api.get('/projects/harbourlight')).body;
    assert.equal(project.name, 'Harbourlight Two');
  });

  test('that changes nothing makes no version, event, change or tick of the clock', async () => {
    const { api, latest } = await setUp();
    const { body: current } = await api.get(pathOf(LIVE));
    const { headers } = await api.get('/stocklist');
    const before = await latest();
    const { name, status, galleryImages, addressLine2, relatedProjectIds } = current;
    const same = { name, status, addressLine2, relatedProjectIds, latitude: current.latitude };
    const images = galleryImages.map(({ key }: { key: string }) => ({ key }));
    const answer = await api.patch(pathOf(LIVE), { ...same, galleryImages: images });
    assert.deepEqual([answer.status, answer.body], [200, current]);
    assert.equal(await latest(), before);
    assert.equal(
      (await api.get('/stocklist')).headers['stocklist-revision'],
      headers['stocklist-revision'],
    );
  });

  test('with an ETag that is no longer true is a 412 with the project as it is', async () => {
    const { api } = await setUp();
    const { body: seen } = await api.get(pathOf(LIVE));
    const { body: current } = await api.patch(pathOf(LIVE), { name: 'One' });
    const refused = await api.patch(pathOf(LIVE), { name: 'Two' }, { 'if-match': seen.etag });
    const problem = assertProblem(refused, 'precondition_failed', `/api/v1${pathOf(LIVE)}`);
    assert.deepEqual([problem.etag, problem.current], [current.etag, current]);
    const { status } = await api.get(pathOf(LIVE), { 'if-none-match': current.etag });
    assert.equal(status, 304);
  });

  test('of fifty at once with one ETag exactly one wins each round, and no change vanishes', async () => {
    const { api, accountId } = await setUp();
    const names: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const { etag } = (await api.get(pathOf(LIVE))).body;
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          api.patch(pathOf(LIVE), { name: `Round ${round}, ${n}` }, { 'if-match': etag }),
        ),
      );
      const won = answers.filter(({ status }) => status === 200);
      assert.equal(won.length, 1);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 412]));
      names.push(won[0]?.body.name);
    }
    assert.equal((await api.get(pathOf(LIVE))).body.name, names.at(-1));
    const changed = (await readChanges(db, accountId, LIVE)).slice(-3);
    assert.deepEqual(
      changed.map(({ after: values }) => values),
      names.map((name) => ({ name })),
    );
  });

  test('of fifty at once without If-Match all are kept, one after another', async () => {
    const { api, accountId } = await setUp();
    const { length: before } = await readChanges(db, accountId, LIVE);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => api.patch(pathOf(LIVE), { addressLine2: `Level ${n}` })),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal(new Set(answers.map(({ body }) => body.updatedAt)).size, 50);
    assert.equal((await readChanges(db, accountId, LIVE)).length, before + 50);
  });

  test('merges the picture of the project, and replaces the gallery', async () => {
    const { api } = await setUp();
    const read = async (changes: object) => {
      const { body } = await api.patch(pathOf(LIVE), changes);
      return [body.heroImage, ...body.galleryImages].map((each) => each && [each.key, each.alt]);
    };
    const gallery = [{ key: 'a.jpg', alt: 'A' }, { key: 'b.jpg' }];
    const heroImage = { key: 'hero.jpg', alt: 'The harbour' };
    assert.deepEqual(await read({ heroImage, galleryImages: gallery }), [
      ['hero.jpg', 'The harbour'],
      ['a.jpg', 'A'],
      ['b.jpg', null],
    ]);
    assert.deepEqual(await read({ heroImage: { alt: 'By night' }, galleryImages: null }), [
      ['hero.jpg', 'By night'],
    ]);
    assert.deepEqual(await read({ heroImage: { key: 'new.jpg', alt: null } }), [['new.jpg', null]]);
    const [item] = (await api.get('/stocklist')).body.projects;
    assert.deepEqual(Object.keys(item.heroImage), ['key', 'url']);
    assert.deepEqual(await read({ heroImage: null }), [null]);
    const refused = await api.patch(pathOf(LIVE), { heroImage: { alt: 'Nothing' } });
    const { errors } = assertProblem(refused, 'invalid_request', `/api/v1${pathOf(LIVE)}`);
    assert.equal(errors?.[0]?.pointer, '/heroImage/key');
  });

  test('replaces the related projects, of which websites see the live ones, in their order', async () => {
    const { api, accountId } = await setUp();
    const relatedProjectIds = [DRAFT, OTHER_LIVE, ARCHIVED];
    const { body } = await api.patch(pathOf(LIVE), { relatedProjectIds });
    assert.deepEqual(body.relatedProjectIds, relatedProjectIds);
    const { project } = (await api.get('/projects/harbourlight')).body;
    assert.deepEqual(
      project.relatedProjects.map(({ id }: { id: string }) => id),
      [OTHER_LIVE],
    );
    assert.deepEqual((await readChanges(db, accountId, LIVE)).at(-1)?.after, { relatedProjectIds });
    const url = `/api/v1${pathOf(LIVE)}`;
    for (const [ids, code, at] of [
      [[OTHER_LIVE, LIVE], 'invalid_request', 1],
      [[DRAFT, DRAFT.toUpperCase()], 'invalid_request', 1],
      [[DRAFT, NOWHERE], 'project_not_available', 1],
      [['no id'], 'project_not_available', 0],
    ] as const) {
      const refused = await api.patch(pathOf(LIVE), { relatedProjectIds: ids });
      const { errors } = assertProblem(refused, code, url);
      assert.deepEqual(
        errors?.map(({ pointer }) => pointer),
        [`/relatedProjectIds/${at}`],
      );
    }
    const loud = LIVE.toUpperCase();
    const itself = await api.patch(pathOf(loud), { relatedProjectIds: [LIVE] });
    assertProblem(itself, 'invalid_request', `/api/v1${pathOf(loud)}`);
    assert.deepEqual(
      (await api.patch(pathOf(LIVE), { relatedProjectIds: null })).body.relatedProjectIds,
      [],
    );
  });
});

describe('DELETE /stock/projects/:id', () => {
  test('deletes a draft with its units, also among the related projects of others', async () => {
    const { api, latest, eventsSince } = await setUp();
    const related = { relatedProjectIds: [DRAFT, OTHER_LIVE] };
    const { body: live } = await api.patch(pathOf(LIVE), related);
    const before = await latest();
    assert.equal((await api.remove(pathOf(DRAFT))).status, 204);
    assertProblem(await api.get(pathOf(DRAFT)), 'project_not_found', `/api/v1${pathOf(DRAFT)}`);
    assertProblem(await api.remove(pathOf(DRAFT)), 'project_not_found', `/api/v1${pathOf(DRAFT)}`);
    const { body } = await api.get(pathOf(LIVE));
    assert.deepEqual(body.relatedProjectIds, [OTHER_LIVE]);
    assert.notEqual(body.etag, live.etag);
    assert.deepEqual(
      (await eventsSince(before)).map(({ type, subject }) => [type, subject]),
      [
        ['project.updated', LIVE],
        ['unit.deleted', DRAFT_UNIT],
        ['project.deleted', DRAFT],
      ],
    );
  });

  test('of a project that is live or archived, stale or linked to a contact deletes nothing', async () => {
    const { api, program } = await setUp();
    for (const id of [LIVE, ARCHIVED])
      assertProblem(await api.remove(pathOf(id)), 'invalid_transition', `/api/v1${pathOf(id)}`);
    const stale = await api.remove(pathOf(DRAFT), { 'if-match': '"0"' });
    assertProblem(stale, 'precondition_failed', `/api/v1${pathOf(DRAFT)}`);
    const crm = await program('contacts:write', 'leads:import');
    const { body } = await crm.post('/contacts', { email: 'aroha@example.com' });
    await crm.post(`/contacts/${body.contactId}/links`, { projectId: DRAFT, unitId: DRAFT_UNIT });
    const linked = assertProblem(
      await api.remove(pathOf(DRAFT)),
      'in_use',
      `/api/v1${pathOf(DRAFT)}`,
    );
    assert.deepEqual(linked.references, { contacts: 1 });
    assert.equal((await api.get(pathOf(DRAFT))).status, 200);
  });
});

describe('GET /stock/projects', () => {
  test('lists drafts and archived projects too, by filter, search and order, page by page', async () => {
    const { api } = await setUp();
    const idsOf = async (query: string): Promise<string[]> =>
      (await api.get(`/stock/projects?${query}`)).body.data.map(({ id }: { id: string }) => id);
    const { id: newest, updatedAt } = await create(api, {
      name: 'Zebra Te Aro',
      status: 'On Hold',
    });
    assert.equal((await idsOf('')).length, 5);
    assert.equal((await idsOf(''))[0], newest);
    assert.deepEqual(await idsOf('publication=archived'), [ARCHIVED]);
    assert.deepEqual(
      new Set(await idsOf('publication=draft,archived')),
      new Set([ARCHIVED, DRAFT, newest]),
    );
    assert.deepEqual(await idsOf('status=On Hold'), [newest]);
    assert.deepEqual(await idsOf('q=zeb'), [newest]);
    assert.deepEqual(await idsOf(`updated_since=${updatedAt}`), []);
    for (const [sort, key] of [
      ['-updatedAt', 'updatedAt'],
      ['updatedAt', 'updatedAt'],
      ['name', 'name'],
      ['-name', 'name'],
    ] as const) {
      const rows: { id: string; name: string; updatedAt: string }[] = [];
      let cursor = '';
      do {
        const { body } = await api.get(`/stock/projects?sort=${sort}&limit=2&count=true${cursor}`);
        assert.deepEqual(
          [body.pagination.totalCount, body.pagination.totalCountIsExact],
          [5, true],
        );
        rows.push(...body.data);
        cursor = body.pagination.hasNextPage ? `&cursor=${body.pagination.nextCursor}` : '';
      } while (cursor !== '');
      const values = rows.map((row) => row[key].toLowerCase());
      const sorted = sort.startsWith('-') ? values.toSorted().toReversed() : values.toSorted();
      assert.deepEqual(values, sorted, sort);
      assert.equal(new Set(rows.map(({ id }) => id)).size, 5);
    }
  });

  test('has the counts and prices of the units, and a change of a unit makes a new version', async () => {
    const { api, developer } = await setUp();
    const load = (units: object[]) =>
      service.load({
        format: 'offplan-account/1',
        account: { slug: developer.slug },
        projects: [{ id: OTHER_LIVE, units }],
      });
    await load([
      { name: 'A', status: 'Available', price: 500_000 },
      { name: 'B', status: 'Available', price: 700_000.5 },
      { name: 'C', status: 'Available' },
      { name: 'D', status: 'Reserved', price: 1 },
      { name: 'E', status: 'Withdrawn', price: 2 },
      { name: 'F', status: 'Coming Soon', price: 3 },
    ]);
    const { body } = await api.get(pathOf(OTHER_LIVE));
    const { unitCounts, unitCount, availableUnitCount, priceFrom, priceTo } = body;
    // The same members in any order have another text, and so need another ETag.
    assert.equal(
      JSON.stringify(unitCounts),
      JSON.stringify({ 'Coming Soon': 1, Available: 3, Reserved: 1, Settled: 1, Withdrawn: 1 }),
    );
    assert.deepEqual([unitCount, availableUnitCount], [6, 3]);
    assert.deepEqual([priceFrom, priceTo], [500_000, 700_000.5]);
    await load([{ name: 'A', price: 400_000 }]);
    const { body: changed } = await api.get(pathOf(OTHER_LIVE));
    assert.equal(changed.priceFrom, 400_000);
    assert.notEqual(changed.etag, body.etag);
    assert.ok(changed.updatedAt > body.updatedAt);
    assert.equal(changed.priceCurrency, null);
    await load(['A', 'B'].map((name) => ({ name, currency: 'AUD' })));
    assert.equal((await api.get(pathOf(OTHER_LIVE))).body.priceCurrency, 'AUD');
    await load([{ name: 'B', currency: 'NZD' }]);
    assert.equal((await api.get(pathOf(OTHER_LIVE))).body.priceCurrency, null);
  });
});

describe('GET /stock/projects/:id/changes', () => {
  test('tells which field changed, when and by whom, and a sweep of events leaves it', async () => {
    const { api, person, accountId } = await setUp();
    const manager = await person('manager');
    const { id } = await create(api);
    await manager.patch(pathOf(id), { status: 'On Hold', latitude: -41.5 });
    const read = async (query = '') => (await api.get(`${pathOf(id)}/changes${query}`)).body.data;
    const [first, second] = await read();
    assert.deepEqual(
      [first, second].map(({ field, before, after: value, actor }) => [
        field,
        before,
        value,
        actor,
      ]),
      [
        ['status', 'Coming Soon', 'On Hold', { type: 'user', id: manager.id, name: 'Hana' }],
        ['latitude', null, -41.5, { type: 'user', id: manager.id, name: 'Hana' }],
      ],
    );
    assert.ok(Math.abs(Date.parse(first.at) - Date.now()) < 60_000);
    assert.deepEqual((await read('?field=status')).length, 2);
    const all = await read();
    await deleteOldEvents(db, accountId, new Date(Date.now() + 60_000));
    assert.deepEqual(await read(), all);
  });

  test('of another account is the same 404 as of no project', async () => {
    const [mine, theirs] = [await setUp(), await setUp()];
    const { id } = await create(theirs.api);
    for (const [method, suffix] of [
      ['get', ''],
      ['get', '/changes'],
      ['patch', ''],
      ['post', '/publish'],
      ['post', '/unpublish'],
      ['post', '/archive'],
      ['remove', ''],
    ] as const)
      for (const each of [id, NOWHERE, 'no-id']) {
        const path = `${pathOf(each)}${suffix}`;
        const answer = await (method === 'patch'
          ? mine.api.patch(path, { name: 'Mine' })
          : mine.api[method](path));
        assertProblem(answer, 'project_not_found', `/api/v1${path}`);
      }
    assert.equal((await theirs.api.get(pathOf(id))).body.etag, '"1"');
  });
});

test('people who may read projects cannot change them, and events have the project as it is now', async () => {
  const { api, person, program } = await setUp();
  const agent = await person('agent');
  assert.equal((await agent.get(pathOf(LIVE))).status, 200);
  const refused = await agent.patch(pathOf(LIVE), { name: 'Mine' });
  const problem = assertProblem(refused, 'insufficient_access', `/api/v1${pathOf(LIVE)}`);
  assert.equal(problem.requiredScope, 'projects:write');
  const { body } = await api.patch(pathOf(LIVE), { name: 'Ours' });
  const follower = await program('events:read', 'projects:read');
  const query = `types=project.updated&subject=${LIVE}&include=object`;
  const { data } = (await follower.get(`/events?${query}`)).body;
  assert.deepEqual(data.at(-1).object, body);
});
