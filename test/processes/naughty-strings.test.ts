import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { countCharacters, isBlank, normalizeLabel } from '../../src/platform/text/index.ts';
import { accountFile } from '../support/accounts.ts';
import { developersOf, type Developer } from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { BATCH, sender } from '../support/imports.ts';
import { NAUGHTY_STRINGS } from '../support/naughty-strings.ts';
import { dataFolder, createCommand } from '../support/process.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const send = sender(service);
const folder = dataFolder({ after });
const environment = { DATABASE_URL: await databaseUrl(service.db), LOG_LEVEL: 'error' };
const command = createCommand(environment);

const TEXTS = [
  'firstName',
  'lastName',
  'name',
  'phone',
  'mobilePhone',
  'companyName',
  'sourceExternalOriginalName',
  'referredBy',
  'addressLine1',
  'addressLine2',
  'cityName',
  'regionName',
  'suburbName',
  'postalCode',
  'country',
  'stateOrProvince',
];

const fits = (text: string, characters: number) => countCharacters(text) <= characters;
const isPath = (text: string) => fits(text, 900) && !/(^|\/)\.{1,2}(\/|$)/.test(text);
const all = (fields: string[], text: unknown) =>
  Object.fromEntries(fields.map((field) => [field, text]));

/** A lead with a text in every field that takes it. The number `n` makes its email and its tag unique. */
function leadOf(text: string, n: number) {
  const local = /^[^\s\p{Cc}\p{DI}@()<>[\]:;,\\"]+$/u.test(text) && fits(text, 200) ? text : 'a';
  const tag = `${text} ${n}`;
  return {
    ...all(TEXTS, text),
    sourceExternalOriginalName: text,
    email: `${local}.${n}@example.com`,
    notes: text,
    ...(fits(text, 200) && { budget: text }),
    ...(fits(normalizeLabel(tag), 100) && { tag }),
  };
}

type Lead = ReturnType<typeof leadOf>;

/** The contact that such a lead creates: blank texts are null, and the tag's label is normalized. */
function storedOf({ email, notes, tag, ...texts }: Lead) {
  const given = Object.entries(texts).map(([field, text]) => [field, isBlank(text) ? null : text]);
  const stored = { budget: null, ...Object.fromEntries(given) };
  return {
    ...stored,
    email,
    sourceExternalOriginalName: stored.sourceExternalOriginalName ?? 'API Import',
    tags: tag === undefined ? [] : [normalizeLabel(tag)],
    activities: isBlank(notes) ? [] : [notes],
  };
}

async function assertStored({ exported }: Developer, leads: Lead[]): Promise<void> {
  const { contacts } = await exported();
  const byEmail = new Map(contacts.map((each: { email: string }) => [each.email, each]));
  assert.equal(byEmail.size, leads.length);
  for (const lead of leads) {
    const expected = storedOf(lead);
    const contact = byEmail.get(lead.email) as Record<string, unknown>;
    const { activities, ...stored } = contact;
    const bodies = (activities as { body: string }[]).map(({ body }) => body);
    const fields = Object.keys(expected).map((field) => [field, stored[field]]);
    assert.deepEqual({ ...Object.fromEntries(fields), activities: bodies }, expected);
  }
}

const LEADS = NAUGHTY_STRINGS.map(leadOf);

test('every text field of POST /contacts carries every naughty string', async () => {
  const developer = await makeDeveloper();
  const answers = await Promise.all(LEADS.map((lead) => send(developer, lead)));
  for (const [index, { status, body, text }] of answers.entries()) {
    assert.equal(status, 201, text);
    assert.equal(body.email, LEADS[index]?.email);
  }
  await assertStored(developer, LEADS);
});

test('every text field of a batch carries every naughty string, and a source becomes its label', async () => {
  const developer = await makeDeveloper();
  const contacts = LEADS.map(({ sourceExternalOriginalName: source, tag, ...lead }) => ({
    ...lead,
    source,
    tags: tag === undefined ? null : [tag],
  }));
  const { status, body } = await send(developer, { contacts }, { url: BATCH });
  assert.equal(status, 200);
  assert.deepEqual(body.summary, { created: LEADS.length, merged: 0, refused: 0 });
  await assertStored(developer, LEADS);
});

/** Cells that say that there is no value, and guards of exporters. */
const MEANS_SOMETHING_IN_CSV =
  /^\s*(NULL|N\/A|n\/a|--?|[–—]|\\N|#[A-Z/0]+[!?A])\s*$|^'+[=+\-@\t\r\d]|^="|:::/;

test('every column of CSV and every member of NDJSON carries every naughty string', async () => {
  const columns = Object.keys(leadOf('', 0)) as (keyof Lead)[];
  const cell = (text = '') => `"${text.replaceAll('"', '""')}"`;
  // A cell has several tags, as other systems export them: separated, and perhaps quoted.
  const plain = LEADS.filter(
    ({ notes, tag }) => !MEANS_SOMETHING_IN_CSV.test(notes) && !/[",;|\r\n]|:::/.test(tag ?? ''),
  );
  const lines = plain.map((lead) => columns.map((field) => cell(lead[field])).join());
  const files = {
    csv: { rows: [columns.join(), ...lines], leads: plain },
    ndjson: { rows: LEADS.map((lead) => JSON.stringify(lead)), leads: LEADS },
  };
  for (const [format, { rows, leads }] of Object.entries(files)) {
    const developer = await makeDeveloper();
    const path = join(folder, `naughty.${format}`);
    writeFileSync(path, `${rows.join('\n')}\n`);
    const { code, stderr } = await command('import', developer.slug, path);
    assert.deepEqual([code, stderr], [0, '']);
    await assertStored(developer, leads);
  }
});

const CONTACT_TEXTS = [...TEXTS, 'notes'];
const PROJECT_TEXTS = [
  'developmentDescription',
  'addressLine1',
  'addressLine2',
  'postalCode',
  'cityName',
  'regionName',
  'suburbName',
];
const UNIT_TEXTS = ['lotNumber', 'level', 'aspect', 'priceDisplay', 'currency'];

/** An account file with one entry of each kind for each text, which has the text in every field. */
function naughtyFile(slug: string) {
  const { account, projects, ...file } = accountFile(slug);
  const [project] = projects;
  const id = (kind: number, n: number) =>
    `0196a000-0000-7000-8000-0000000${kind}${String(n).padStart(4, '0')}`;
  const nameOrNumber = (text: string, n: number) => (isBlank(text) ? `${n}` : text);
  const everything = NAUGHTY_STRINGS.join('\u0001');
  return {
    ...file,
    account: {
      slug,
      organization: {
        ...account.organization,
        ...all(['companyName', 'displayName', 'intro', 'phone', 'location'], everything),
      },
    },
    users: NAUGHTY_STRINGS.map((text, n) => ({
      id: id(1, n),
      email: `${n}@example.com`,
      name: nameOrNumber(text, n),
      active: true,
    })),
    projects: NAUGHTY_STRINGS.map((text, n) => ({
      ...project,
      ...all(PROJECT_TEXTS, text),
      id: id(2, n),
      slug: `project-${n}`,
      name: nameOrNumber(text, n),
      projectWebsiteUrl: `https://example.com/${encodeURIComponent(text)}`,
      heroImage: { key: isPath(text) ? `${n}/${text}` : `${n}` },
      galleryImages: [{ key: `${n}` }],
      units: [{ ...all(UNIT_TEXTS, text), id: id(3, n), name: nameOrNumber(text, n) }],
    })),
    tags: [],
    contacts: NAUGHTY_STRINGS.map((text, n) => ({
      ...all(CONTACT_TEXTS, text),
      id: id(4, n),
      email: `${n}@example.com`,
      budget: fits(text, 200) ? text : null,
      tags: fits(normalizeLabel(`${text} ${n}`), 100) ? [normalizeLabel(`${text} ${n}`)] : [],
      activities: [{ type: 'note', body: text, occurredAt: '2026-03-01T00:00:00.000Z' }],
    })),
  };
}

/** Picks from a stored value the members that the given value has. */
// Each test knows the shape of its export.
// eslint-disable-next-line typescript/no-explicit-any
function partOf(stored: any, given: any): unknown {
  if (Array.isArray(given)) return given.map((each, n) => partOf(stored[n], each));
  if (typeof given !== 'object' || given === null) return stored;
  return Object.fromEntries(
    Object.entries(given).map(([field, each]) => [field, partOf(stored[field], each)]),
  );
}

test('every text field of an account file carries every naughty string: load, export, load', async () => {
  const file = naughtyFile('naughty');
  await service.load(file);
  const exported = await service.exported('naughty');
  const { tags: _, ...given } = file;
  assert.deepEqual(partOf(exported, given), given);
  const again = { ...exported, account: { ...exported.account, slug: 'naughty-again' } };
  await service.load(again);
  assert.deepEqual(await service.exported('naughty-again'), again);
});

test('the stocklist shows every naughty string as it is stored', async () => {
  const slug = 'naughty-stock';
  const { projects, ...file } = naughtyFile(slug);
  await service.load({ ...file, projects });
  const key = await service.key(slug, 'read');
  const shown = new Map<string, unknown>();
  for (let page = 1, more = true; more; page += 1) {
    const { body } = await service.send({ url: `/api/v1/stocklist?limit=100&page=${page}`, key });
    for (const project of body.projects) shown.set(project.slug, project);
    more = body.pagination.hasNextPage;
  }
  assert.equal(shown.size, projects.length);
  for (const { publication: _live, estimatedCompletionDate: _date, ...project } of projects) {
    const { developmentDescription: _description, projectWebsiteUrl: _url, ...inList } = project;
    assert.deepEqual(partOf(shown.get(project.slug), inList), inList);
  }
});
