import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueKey } from '../src/keys/index.ts';
import { migrate } from '../src/platform/database/index.ts';
import { instance } from './support/instances.ts';
import { createOldDatabase } from './support/old-database.ts';
import { run } from './support/sql.ts';

/** The last migration before projects could be drafts without fields. */
const OLD_VERSION = 33;
const MADE_AT = '2025-03-02T01:02:03.004Z';
const CHANGED_AT = '2026-01-02T03:04:05.678Z';
const timeOfId = Date.parse(MADE_AT).toString(16).padStart(12, '0');
const PROJECT = `${timeOfId.slice(0, 8)}-${timeOfId.slice(8)}-7000-8000-000000000001`;
/** An id of another system, which has no time. */
const OTHER = '10000000-0000-4000-8000-000000000002';
const UNIT = PROJECT.replace(/1$/, '3');

test('projects and units of an older release keep their pictures, and get the times of their creation', async (t) => {
  const { old, accountId } = await createOldDatabase(t, OLD_VERSION);
  for (const [id, hero] of [
    [PROJECT, 'hero.jpg'],
    [OTHER, null],
  ])
    await run(
      old,
      `insert into projects (account_id, id, slug, name, publication, status, development_description,
          estimated_completion_date, address_line_1, postal_code, latitude, longitude, city_name, region_name, region_slug,
          suburb_name, project_website_url, hero_image_key, gallery_image_keys, city_key, region_key, region_slug_key,
          suburb_key, updated_at)
        values ($1, $2, 'p' || $4::int, 'P', 'live', 'Available', '', now(), '', '', 1, 2, '', '', 'a', '', '', $3,
          '{b.jpg,"a \\" c.jpg"}', '', '', 'a', '', timestamptz '${CHANGED_AT}' + $4::int * interval '1 ms')`,
      [accountId, id, hero, id === OTHER ? 1 : 0],
    );
  await run(
    old,
    `insert into units (account_id, id, project_id, position, name, status, floor_plan_image_key)
      values ($1, $2, $3, 0, '1A', 'Available', 'plan.png')`,
    [accountId, UNIT, PROJECT],
  );
  await migrate(old);
  const key = await issueKey(old, accountId, { access: 'read', name: 'web' });
  const server = await instance(t, old);
  const { payload } = await server.inject({
    url: '/api/v1/stocklist',
    headers: { authorization: `Bearer ${key}` },
  });
  const [other, first] = JSON.parse(payload).projects;
  const keysOf = (images: { key: string }[]) => images.map((image) => image.key);
  assert.deepEqual([other.heroImage, first.heroImage.key], [null, 'hero.jpg']);
  assert.deepEqual(keysOf(first.galleryImages), ['b.jpg', 'a " c.jpg']);
  assert.deepEqual(keysOf([first.units[0].floorPlanImage]), ['plan.png']);
  const { rows } = await run(
    old,
    `select id, created_at, updated_at from projects where account_id = $1
      union all select id, created_at, updated_at from units where account_id = $1 order by id`,
    [accountId],
  );
  assert.deepEqual(
    rows.map(({ id, created_at: at, updated_at: changedAt }) => [id, at, changedAt]),
    [
      [PROJECT, new Date(MADE_AT), new Date(CHANGED_AT)],
      [UNIT, new Date(MADE_AT), new Date(CHANGED_AT)],
      [OTHER, new Date(other.updatedAt), new Date(other.updatedAt)],
    ],
  );
});
