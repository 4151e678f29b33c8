import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { uuidv7 } from 'uuidv7';
import { assertConforms } from './support/document.ts';
import { build, MEDIA_BASE_URL } from './support/harness.ts';
import { addProject, changeProject } from './support/stock.ts';
import { slugsOf, tenancies } from './support/tenancy.ts';

const service = await build({ after });

const { makeTenant, makeTenantWith } = tenancies(service);

const image = (key: string) => ({ key, url: `${MEDIA_BASE_URL}/${key}` });

describe('the answer', () => {
  test('has pagination, filters, organization and projects, in this order', async () => {
    const { list } = await makeTenantWith(1);
    const { status, headers, body } = await list();
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(Object.keys(body), ['pagination', 'filters', 'organization', 'projects']);
    assert.deepEqual(Object.entries(body.pagination), [
      ['page', 1],
      ['limit', 20],
      ['hasNextPage', false],
      ['hasPreviousPage', false],
    ]);
    assert.deepEqual(Object.entries(body.filters), [
      ['region', null],
      ['city', null],
      ['suburb', null],
      ['status', null],
      ['updatedSince', null],
    ]);
  });

  test('has every field of the organization, null where it has none', async () => {
    const { account, list } = await makeTenant();
    const { body } = await list();
    assert.deepEqual(Object.entries(body.organization), [
      ['id', account.id],
      ['companyName', 'Tōtara Living Limited'],
      ['displayName', 'Tōtara Living'],
      ['intro', null],
      ['email', 'sales@totara-living.example'],
      ['phone', null],
      ['location', 'Auckland, New Zealand'],
      ['websiteUrl', 'https://totara-living.example'],
      ['logoImage', null],
    ]);
  });

  test('has the organization as it was filled in', async () => {
    const { list } = await makeTenant({
      intro: 'Homes.',
      phone: '+64 9 1',
      logo_image_key: 'a/logo.svg',
    });
    const { organization } = (await list()).body;
    assert.equal(organization.intro, 'Homes.');
    assert.equal(organization.phone, '+64 9 1');
    assert.deepEqual(organization.logoImage, image('a/logo.svg'));
  });

  test('has every field of a project, null where it has none', async () => {
    const { account, list } = await makeTenant();
    const { id, slug, updatedAt } = await addProject(service.db, account);
    const { body } = await list();
    assert.deepEqual(Object.entries(body.projects[0]), [
      ['id', id],
      ['slug', slug],
      ['name', 'Harakeke Rise'],
      ['status', 'Available'],
      ['addressLine1', '18 Harakeke Street'],
      ['addressLine2', null],
      ['postalCode', '0112'],
      ['latitude', -35.7168],
      ['longitude', 174.3214],
      ['updatedAt', updatedAt],
      ['cityName', 'Whangārei'],
      ['regionName', 'Northland'],
      ['regionSlug', 'northland'],
      ['suburbName', 'Regent'],
      ['heroImage', null],
      ['galleryImages', []],
      ['unitCount', 0],
      ['availableUnitCount', 0],
      ['units', []],
    ]);
    assert.match(updatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('has images as key and absolute URL, the gallery in its own order', async () => {
    const { account, list } = await makeTenant();
    const gallery = ['b.jpg', '/a b.jpg', 'ā.jpg'];
    await addProject(service.db, account, {
      hero_image: { key: 'hero.jpg', alt: 'The house' },
      gallery_images: JSON.stringify(gallery.map((key) => ({ key }))),
    });
    const [project] = (await list()).body.projects;
    assert.deepEqual(Object.entries(project.heroImage), Object.entries(image('hero.jpg')));
    assert.deepEqual(project.galleryImages, [
      image('b.jpg'),
      { key: '/a b.jpg', url: `${MEDIA_BASE_URL}/a%20b.jpg` },
      { key: 'ā.jpg', url: `${MEDIA_BASE_URL}/%C4%81.jpg` },
    ]);
  });

  test('knows live projects alone', async () => {
    const { account, list } = await makeTenant();
    await addProject(service.db, account, { publication: 'draft' });
    await addProject(service.db, account, { publication: 'archived' });
    const { slug } = await addProject(service.db, account);
    const answer = await list();
    assert.deepEqual(slugsOf(answer), [slug]);
    assert(!answer.text.includes('publication'));
  });

  test("knows the key's own account alone", async () => {
    const [one, other] = [await makeTenantWith(2), await makeTenantWith(1)];
    assert.deepEqual(slugsOf(await one.list()), one.slugs);
    assert.deepEqual(slugsOf(await other.list()), other.slugs);
  });

  test('tells the accounts apart even where their projects have the same ids and slugs', async () => {
    const [one, other] = [await makeTenant(), await makeTenant()];
    const same = { id: uuidv7(), slug: 'same' };
    await addProject(service.db, one.account, { ...same, name: 'One' });
    await addProject(service.db, other.account, { ...same, name: 'Other' });
    assert.equal((await one.list()).body.projects[0].name, 'One');
    assert.equal((await other.list()).body.projects[0].name, 'Other');
  });

  test('of an account without projects is an empty page', async () => {
    const { body } = await (await makeTenant()).list();
    assert.deepEqual(body.projects, []);
    assert.equal(body.pagination.hasNextPage, false);
  });
});

describe('units', () => {
  test('have every field, numbers as numbers, null where there is nothing', async () => {
    const { account, list } = await makeTenant();
    const id = uuidv7();
    await addProject(service.db, account, {}, [{ id, name: 'Studio', bedrooms: 0 }]);
    const [unit] = (await list()).body.projects[0].units;
    assert.deepEqual(Object.entries(unit), [
      ['id', id],
      ['name', 'Studio'],
      ['lotNumber', null],
      ['unitType', null],
      ['status', 'Available'],
      ['level', null],
      ['bedrooms', 0],
      ['bathrooms', null],
      ['carSpaces', null],
      ['aspect', null],
      ['internalAreaSqm', null],
      ['externalAreaSqm', null],
      ['landAreaSqm', null],
      ['price', null],
      ['priceDisplay', null],
      ['currency', null],
      ['floorPlanImage', null],
    ]);
  });

  test('show what they were given, fractions exactly', async () => {
    const { account, list } = await makeTenant();
    const columns = {
      unit_type: 'Townhouse',
      bathrooms: 1.5,
      car_spaces: 2,
      aspect: 'North',
      internal_area_sqm: 74.1,
      external_area_sqm: 0.1,
      land_area_sqm: 1234567.89,
      price: 849000.01,
      price_display: 'By negotiation',
      currency: 'NZD',
      floor_plan_image: { key: 'plans/1.svg' },
    };
    await addProject(service.db, account, {}, [columns]);
    const [unit] = (await list()).body.projects[0].units;
    assert.equal(unit.unitType, 'Townhouse');
    assert.equal(unit.bathrooms, 1.5);
    assert.equal(unit.internalAreaSqm, 74.1);
    assert.equal(unit.externalAreaSqm, 0.1);
    assert.equal(unit.landAreaSqm, 1234567.89);
    assert.equal(unit.price, 849000.01);
    assert.equal(unit.priceDisplay, 'By negotiation');
    assert.deepEqual(unit.floorPlanImage, image('plans/1.svg'));
  });

  test('have lot and level as text or number, as they were given', async () => {
    const { account, list } = await makeTenant();
    await addProject(service.db, account, {}, [
      { lot_number: '"27"', level: '3' },
      { lot_number: '27', level: '"Ground"' },
    ]);
    const { units } = (await list()).body.projects[0];
    assert.deepEqual(
      units.map(({ lotNumber, level }: { lotNumber: unknown; level: unknown }) => [
        lotNumber,
        level,
      ]),
      [
        ['27', 3],
        [27, 'Ground'],
      ],
    );
  });

  test("are in the account's own order", async () => {
    const { account, list } = await makeTenant();
    const names = ['C', 'A', 'D', 'B'];
    const units = names.map((name) => ({ id: uuidv7(), name })).toReversed();
    await addProject(service.db, account, {}, units);
    const [project] = (await list()).body.projects;
    assert.deepEqual(
      project.units.map((unit: { name: string }) => unit.name),
      names.toReversed(),
    );
  });

  test('of one position are in the order of their ids', async () => {
    const { account, list } = await makeTenant();
    const ids = [uuidv7(), uuidv7(), uuidv7()].toSorted();
    const units = ids.map((id) => ({ id, position: 1 }));
    await addProject(service.db, account, {}, units.toReversed());
    const [project] = (await list()).body.projects;
    assert.deepEqual(
      project.units.map((unit: { id: string }) => unit.id),
      ids,
    );
  });

  test('are shown and counted unless they are withdrawn', async () => {
    const { account, list } = await makeTenant();
    const statuses = ['Withdrawn', 'Available', 'Reserved', 'Available', 'Settled'];
    await addProject(
      service.db,
      account,
      {},
      statuses.map((status) => ({ status })),
    );
    const [project] = (await list()).body.projects;
    assert.equal(project.unitCount, 4);
    assert.equal(project.availableUnitCount, 2);
    assert.deepEqual(
      project.units.map((unit: { status: string }) => unit.status),
      ['Available', 'Reserved', 'Available', 'Settled'],
    );
  });
});

describe('pages', () => {
  test('the project that changed last comes first', async () => {
    const { account, list } = await makeTenant();
    const first = await addProject(service.db, account);
    const second = await addProject(service.db, account);
    assert.deepEqual(slugsOf(await list()), [second.slug, first.slug]);
    await changeProject(service.db, account, first.id, { name: 'Changed' });
    const answer = await list();
    assert.deepEqual(slugsOf(answer), [first.slug, second.slug]);
  });

  test('walking through them covers every project once', async () => {
    const { list, slugs } = await makeTenantWith(7);
    const seen: string[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await list(`?page=${page}&limit=3`);
      seen.push(...slugsOf(answer));
      assert.equal(answer.body.pagination.hasPreviousPage, page > 1);
      if (!answer.body.pagination.hasNextPage) break;
    }
    assert.deepEqual(seen, slugs);
  });

  test('a full last page has no next one', async () => {
    const { list } = await makeTenantWith(4);
    assert.equal((await list('?limit=4')).body.pagination.hasNextPage, false);
    assert.equal((await list('?limit=2&page=2')).body.pagination.hasNextPage, false);
    assert.equal((await list('?limit=3')).body.pagination.hasNextPage, true);
  });

  test('are of 20 without a limit, of at most 100 with one', async () => {
    const { list } = await makeTenantWith(102);
    const [preset, coerced] = [await list(), await list('?limit=500')];
    assert.deepEqual([preset.body.projects.length, preset.body.pagination.limit], [20, 20]);
    assert.deepEqual([coerced.body.projects.length, coerced.body.pagination.limit], [100, 100]);
    assert.equal(coerced.body.pagination.hasNextPage, true);
    const last = await list('?limit=101&page=2');
    assert.equal(last.body.projects.length, 2);
  });

  test('one past the end is empty and has a previous one', async () => {
    const { list } = await makeTenantWith(1);
    for (const page of [2, 1000, 2 ** 31]) {
      const { status, body } = await list(`?page=${page}`);
      assert.equal(status, 200);
      assert.deepEqual(body.projects, []);
      assert.deepEqual(body.pagination, {
        page,
        limit: 20,
        hasNextPage: false,
        hasPreviousPage: true,
      });
    }
  });

  test('an invalid parameter is a 400 that names each', async () => {
    const { list } = await makeTenant();
    const { status, headers, body } = await list(
      '?page=0&limit=1.5&city=a&city=b&updated_since=now',
    );
    assert.equal(status, 400);
    assert.match(String(headers['content-type']), /^application\/problem\+json/);
    assert.equal(body.code, 'invalid_request');
    const parameters = body.errors.map((fault: { parameter: string }) => fault.parameter);
    assert.deepEqual(parameters.toSorted(), ['city', 'limit', 'page', 'updated_since']);
    for (const { detail } of body.errors) assert.equal(typeof detail, 'string');
  });

  for (const value of [
    '0',
    '-1',
    '1.5',
    'x',
    '0x10',
    '1e2',
    '+1',
    '%2B1',
    '%201',
    '99999999999999999999999999',
  ])
    test(`page=${value} is a 400`, async () => {
      const { status, body } = await (await makeTenant()).list(`?page=${value}`);
      assert.equal(status, 400);
      assert.deepEqual(
        body.errors.map((fault: { parameter: string }) => fault.parameter),
        ['page'],
      );
    });

  test('empty and unknown parameters change nothing', async () => {
    const { list } = await makeTenantWith(2);
    const plain = await list();
    for (const query of [
      '?page=&limit=',
      '?region=&city&status=',
      '?offset=1&sort=name',
      '?page[]=2',
    ])
      assert.equal((await list(query)).text, plain.text, query);
  });
});

test('the examples in the document are answers like any other', async () => {
  const { body } = await service.send({ url: '/api/v1/openapi.json' });
  const exampleOf = (path: string): unknown =>
    body.paths[path].get.responses['200'].content['application/json'].example;
  assertConforms('StocklistResponse', exampleOf('/stocklist'));
  assertConforms('ProjectResponse', exampleOf('/projects/{slug}'));
});
