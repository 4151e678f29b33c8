import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadAccount } from '../src/portability/index.ts';
import {
  fullFile,
  newSlug,
  P2,
  portability,
  project,
  U2,
  withSlug,
} from './support/account-files.ts';

const { db, exported, exportText, refusedWith } = await portability();

const FORMAT = 'offplan-account/1';
const draft = { slug: 'kauri-rise', name: 'Kauri Rise' };

test('a draft with only a slug and a name is exported and loaded again as it is', async () => {
  const slug = newSlug();
  await loadAccount(db, withSlug(slug, { projects: [draft] }));
  const text = await exportText(slug);
  const [{ latitude, regionSlug, publication }] = JSON.parse(text).projects;
  assert.deepEqual([latitude, regionSlug, publication], [null, null, 'draft']);
  const copy = { ...JSON.parse(text), account: { ...JSON.parse(text).account, slug: newSlug() } };
  for (const each of copy.projects) each.id = undefined;
  await loadAccount(db, copy);
  const [loaded] = (await exported(copy.account.slug)).projects;
  assert.deepEqual({ ...loaded, id: null }, { ...JSON.parse(text).projects[0], id: null });
  const { projects } = await loadAccount(db, text);
  assert.deepEqual(projects, { created: 0, updated: 0, unchanged: 1 });
});

test('a project that becomes live without a field of the stock endpoints is refused by its name', async () => {
  const slug = newSlug();
  await loadAccount(db, withSlug(slug, { projects: [draft] }));
  const { latitude: _, ...incomplete } = project('kauri-rise', { publication: 'live' });
  const file = { format: FORMAT, account: { slug }, projects: [incomplete] };
  const [detail] = await refusedWith({}, file, '/projects/0/latitude');
  assert.equal(detail, 'is required for a live project.');
  await loadAccount(db, { ...file, projects: [{ ...incomplete, latitude: -41 }] });
  const emptied = { ...(await exported(slug)) };
  emptied.projects[0].cityName = null;
  await refusedWith({}, emptied, '/projects/0/cityName');
});

test('a file by hand with --replace leaves out what a live project has, and keeps it', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const projects = [{ slug: 'ridge-road', name: 'Ridge Road' }];
  await loadAccount(db, { format: FORMAT, account: { slug }, projects }, { replace: true });
  const [ridge] = (await exported(slug)).projects;
  assert.deepEqual([ridge.cityName, ridge.heroImage], ['Wellington', null]);
});

test('pictures have alternative texts, which only an entry with another one changes', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const load = (...projects: object[]) =>
    loadAccount(db, { format: FORMAT, account: { slug }, projects });
  const read = async () => {
    const [ridge] = (await exported(slug)).projects;
    return [ridge.heroImage, ridge.galleryImages, ridge.units[0].floorPlanImage];
  };
  await load({
    slug: 'ridge-road',
    heroImage: { key: 'ridge/hero.jpg', alt: 'The harbour' },
    galleryImages: [
      { key: 'ridge/1.jpg', alt: 'The kitchen' },
      { key: 'ridge/3.jpg', alt: '' },
    ],
    units: [{ id: U2, floorPlanImage: { alt: 'Two rooms', key: 'plan.png' } }],
  });
  const described = [
    { key: 'ridge/hero.jpg', alt: 'The harbour' },
    [{ key: 'ridge/2.jpg' }, { key: 'ridge/1.jpg', alt: 'The kitchen' }, { key: 'ridge/3.jpg' }],
    { key: 'plan.png', alt: 'Two rooms' },
  ];
  assert.deepEqual(await read(), described);
  await load({
    slug: 'ridge-road',
    heroImage: { key: 'ridge/hero.jpg' },
    galleryImages: [{ key: 'ridge/1.jpg' }],
    units: [{ id: U2, floorPlanImage: { key: 'plan.png' } }],
  });
  assert.deepEqual(await read(), described);
  const file = await exported(slug);
  delete file.projects[0].heroImage.alt;
  await loadAccount(db, file);
  assert.deepEqual((await read())[0], { key: 'ridge/hero.jpg' });
});

test('a description above 64 KiB is refused, and one from before the limit stays', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const long = 'ā'.repeat(32_769);
  const file = {
    format: FORMAT,
    account: { slug },
    projects: [{ id: P2, developmentDescription: long }],
  };
  await refusedWith({}, file, '/projects/0/developmentDescription');
  const old = await exported(slug);
  old.projects[1].developmentDescription = long;
  await loadAccount(db, old);
  await loadAccount(db, { ...file, projects: [{ ...file.projects[0], name: 'Matai' }] });
  const [, matai] = (await exported(slug)).projects;
  assert.deepEqual([matai.name, matai.developmentDescription], ['Matai', long]);
});
