import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { uuidv7 } from 'uuidv7';
import { build, MEDIA_BASE_URL } from './support/harness.ts';
import { addProject, changeProject, relateProjects } from './support/stock.ts';
import { tenancies } from './support/tenancy.ts';

const service = await build({ after });
const { makeTenant, makeTenantWith } = tenancies(service);

const image = (key: string) => ({ key, url: `${MEDIA_BASE_URL}/${key}` });

test('the answer has the organization, as in the stocklist, and the project', async () => {
  const { list, read, slug } = await makeTenantWith(1);
  const { status, headers, body } = await read(slug);
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.deepEqual(Object.keys(body), ['organization', 'project']);
  assert.deepEqual(body.organization, (await list()).body.organization);
});

test('the project has every field, null where it has none', async () => {
  const { account, read } = await makeTenant();
  const { id, slug } = await addProject(service.db, account);
  const { body } = await read(slug);
  assert.deepEqual(Object.entries(body.project), [
    ['id', id],
    ['slug', slug],
    ['name', 'Harakeke Rise'],
    ['status', 'Available'],
    ['developmentDescription', 'Apartments above the river.'],
    ['estimatedCompletionDate', '2027-11-29T11:00:00.000Z'],
    ['addressLine1', '18 Harakeke Street'],
    ['addressLine2', null],
    ['postalCode', '0112'],
    ['cityName', 'Whangārei'],
    ['regionName', 'Northland'],
    ['regionSlug', 'northland'],
    ['suburbName', 'Regent'],
    ['projectWebsiteUrl', 'https://harakeke-rise.example'],
    ['heroImage', null],
    ['galleryImages', []],
    ['relatedProjects', []],
    ['units', []],
  ]);
});

test('its images and units are those of the stocklist', async () => {
  const { account, list, read } = await makeTenant();
  const images = {
    hero_image: { key: 'hero.jpg' },
    gallery_images: '[{ "key": "b.jpg" }, { "key": "a.jpg", "alt": "The hill" }]',
  };
  const units = [
    { name: 'B', lot_number: '7', level: '"G"', bedrooms: 0, floor_plan_image: { key: 'b.svg' } },
    { name: 'W', status: 'Withdrawn' },
    { name: 'A', lot_number: '"7"', price: 500000.5 },
  ];
  const { slug } = await addProject(service.db, account, images, units);
  const [item] = (await list()).body.projects;
  const { project } = (await read(slug)).body;
  assert.deepEqual(project.heroImage, image('hero.jpg'));
  assert.deepEqual(project.galleryImages, [image('b.jpg'), image('a.jpg')]);
  assert.deepEqual(
    project.units.map((unit: { name: string }) => unit.name),
    ['B', 'A'],
  );
  assert.deepEqual(project.units, item.units);
});

test('related projects are live ones, in the curated order, in short', async () => {
  const { account, read } = await makeTenant();
  const { id, slug } = await addProject(service.db, account);
  const first = await addProject(service.db, account, {
    name: 'First',
    hero_image: { key: '1.jpg' },
  });
  const draft = await addProject(service.db, account, { publication: 'draft' });
  const gone = await addProject(service.db, account, { publication: 'archived' });
  const second = await addProject(service.db, account, { name: 'Second', status: 'Sold Out' });
  await relateProjects(service.db, account, id, [second.id, draft.id, first.id, gone.id]);
  const { relatedProjects } = (await read(slug)).body.project;
  assert.deepEqual(Object.entries(relatedProjects[0]), [
    ['id', second.id],
    ['slug', second.slug],
    ['name', 'Second'],
    ['status', 'Sold Out'],
    ['suburbName', 'Regent'],
    ['cityName', 'Whangārei'],
    ['regionName', 'Northland'],
    ['heroImage', null],
  ]);
  assert.equal(relatedProjects.length, 2);
  assert.equal(relatedProjects[1].id, first.id);
  assert.deepEqual(relatedProjects[1].heroImage, image('1.jpg'));
});

test('a change of a related project shows at once', async () => {
  const { account, read } = await makeTenant();
  const { id, slug } = await addProject(service.db, account);
  const other = await addProject(service.db, account);
  await relateProjects(service.db, account, id, [other.id]);
  await read(slug);
  await changeProject(service.db, account, other.id, { name: 'Renamed' });
  assert.equal((await read(slug)).body.project.relatedProjects[0].name, 'Renamed');
  await changeProject(service.db, account, other.id, { publication: 'draft' });
  assert.deepEqual((await read(slug)).body.project.relatedProjects, []);
});

test('a slug that is unknown, not live or of another account gets the same 404', async () => {
  const { account, read } = await makeTenant();
  const foreign = await makeTenantWith(1);
  const draft = await addProject(service.db, account, { publication: 'draft' });
  const archived = await addProject(service.db, account, { publication: 'archived' });
  const bodies = [];
  for (const slug of ['unknown', draft.slug, archived.slug, foreign.slug]) {
    const { status, headers, body } = await read(slug);
    assert.equal(status, 404);
    assert.match(String(headers['content-type']), /^application\/problem\+json/);
    const { requestId, instance, ...rest } = body;
    assert.equal(instance, `/api/v1/projects/${slug}`);
    assert.equal(typeof requestId, 'string');
    bodies.push(rest);
  }
  for (const body of bodies) assert.deepEqual(body, bodies[0]);
  assert.equal(bodies[0].code, 'project_not_found');
});

test('a project that is taken off the stocklist is a 404 at once', async () => {
  const { account, read } = await makeTenant();
  const { id, slug } = await addProject(service.db, account);
  assert.equal((await read(slug)).status, 200);
  await changeProject(service.db, account, id, { publication: 'archived' });
  assert.equal((await read(slug)).status, 404);
  await changeProject(service.db, account, id, { publication: 'live' });
  assert.equal((await read(slug)).status, 200);
});

test('any text at all is asked for as a slug without harm', async () => {
  const { account, read } = await makeTenant();
  await addProject(service.db, account, { slug: 'kauri' });
  const odd = [
    'KAURI',
    'kauri%00',
    '%00',
    '%20kauri',
    'kauri%2F',
    '%25',
    "'--",
    'ā',
    'a'.repeat(10_000),
  ];
  for (const slug of odd) {
    const { status, body } = await read(slug);
    assert.equal(status, 404, slug);
    assert.equal(body.code, 'project_not_found', slug);
  }
});

test('no slug, however it looks, is answered with a page of the stocklist', async () => {
  const { list, read } = await makeTenantWith(1);
  await list();
  const filters = [null, null, null, null, null];
  for (const what of [[1, 20, filters], { page: 1 }, [1, 20, ...filters]])
    assert.equal((await read(encodeURIComponent(JSON.stringify(what)))).status, 404);
  assert.equal(
    (await read(encodeURIComponent(`stocklist ${JSON.stringify([1, 20, filters])}`))).status,
    404,
  );
});

test('query parameters of a project are ignored', async () => {
  const { read, slug } = await makeTenantWith(1);
  assert.equal((await read(`${slug}?page=0&other=x`)).text, (await read(slug)).text);
});

test("an account's project is its own where another's has the same id and slug", async () => {
  const [one, other] = [await makeTenant(), await makeTenant()];
  const same = { id: uuidv7(), slug: 'same' };
  await addProject(service.db, one.account, { ...same, name: 'One' }, [{ name: 'Unit of one' }]);
  await addProject(service.db, other.account, { ...same, name: 'Other' });
  assert.equal((await one.read('same')).body.project.name, 'One');
  const { project } = (await other.read('same')).body;
  assert.equal(project.name, 'Other');
  assert.deepEqual(project.units, []);
});
