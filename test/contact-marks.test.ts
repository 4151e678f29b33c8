import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DRAFT, LIVE, NOWHERE, OTHER_LIVE, OTHER_UNIT, UNIT } from './developer.ts';
import { testAccountsOf, type Api } from './test-accounts.ts';
import { build } from './harness.ts';

const service = await build({ after });
const newAccount = testAccountsOf(service);

const id = (n: number) => `0196a000-0000-7000-8000-00000000bb0${n}`;

interface ListedContact {
  id: string;
  tags: { id: string; label: string }[];
  links: { projectId: string; unitId: string | null }[];
}

const PARTS: Record<string, (contact: ListedContact) => unknown[]> = {
  tag: ({ tags }) => tags,
  project: ({ links }) => links,
  unit: ({ links }) => links.filter(({ unitId }) => unitId !== null),
};

async function listContacts(api: Api, query: string): Promise<ListedContact[]> {
  const { status, body, text } = await api.get(`/contacts?limit=100&include=links&${query}`);
  assert.equal(status, 200, text);
  return body.data;
}

/** Compares the lists of contacts without a tag, a project or a unit with the contacts. Returns how many each list has. */
async function countWithout(api: Api, after: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const archived of ['any', 'false']) {
    const all = await listContacts(api, `archived=${archived}`);
    for (const [name, list] of Object.entries(PARTS)) {
      const found = await listContacts(api, `archived=${archived}&${name}=none`);
      const expected = all.filter((contact) => list(contact).length === 0);
      assert.deepEqual(found, expected, `${name}=none after ${after}`);
      const mixed = await listContacts(api, `archived=${archived}&${name}=none,${NOWHERE}`);
      assert.deepEqual(mixed, expected, `${name}=none,… after ${after}`);
      counts[name] = found.length;
    }
  }
  await compareFigures(api, after);
  return counts;
}

/** Compares the figures by project, which count by what is stored with each contact, with the links of the contacts. */
async function compareFigures(api: Api, after: string): Promise<void> {
  const path = '/stats/leads?from=2020-01-01&interval=month&groupBy=project';
  const figures: { group: string | null; newContacts: number }[] = (await api.get(path)).body.data;
  const counted: Record<string, number> = {};
  for (const { group, newContacts } of figures)
    if (newContacts > 0) counted[`${group}`] = (counted[`${group}`] ?? 0) + newContacts;
  const expected: Record<string, number> = {};
  for (const { links } of await listContacts(api, 'archived=any')) {
    const projects = new Set(links.map(({ projectId }) => projectId));
    for (const project of projects.size === 0 ? ['null'] : projects)
      expected[project] = (expected[project] ?? 0) + 1;
  }
  assert.deepEqual(counted, expected, `figures after ${after}`);
}

test('the lists of contacts without a tag, project or unit are right after every way to write a contact', async () => {
  const email = (n: number) => `c${n}@example.com`;
  const { made, lead, program } = await newAccount([
    { id: id(1), email: email(1), tags: ['Hot'], links: [{ projectId: LIVE, unitId: UNIT }] },
    {
      id: id(2),
      email: email(2),
      links: [{ projectId: LIVE }],
      archivedAt: '2026-01-01T00:00:00.000Z',
    },
    { id: id(3), email: email(3) },
    { id: id(4), email: 'twin@example.com' },
    {
      id: id(5),
      email: 'twin@example.com',
      tags: ['Twin'],
      links: [{ projectId: LIVE, unitId: UNIT }],
    },
    { id: id(6), email: email(6), tags: ['Cold'] },
  ]);
  const api = await program(
    'contacts:read',
    'contacts:write',
    'contacts:manage',
    'leads:import',
    'contacts:erase',
    'settings:write',
    'stats:read',
  );
  const send = async (
    what: string,
    method: 'post' | 'remove',
    path: string,
    payload: object | undefined,
    expected: Record<string, number>,
  ) => {
    const { status, text, body } = await api[method](path, payload);
    assert.ok(status < 300, `${what}: ${text}`);
    assert.deepEqual(await countWithout(api, what), expected, what);
    return body;
  };
  const tagId = async (label: string) => {
    const tags: { id: string; label: string }[] = (await api.get('/tags?limit=100')).body.data;
    return tags.find((tag) => tag.label === label)?.id;
  };
  const counted = async (what: string, expected: Record<string, number>) =>
    assert.deepEqual(await countWithout(api, what), expected, what);

  await counted('a load', { tag: 2, project: 3, unit: 3 });
  const plain = await lead({ email: email(7) });
  await counted('a lead with an email alone', { tag: 3, project: 4, unit: 4 });
  await lead({ email: email(8), tags: 'New', projectId: OTHER_LIVE, unitId: OTHER_UNIT });
  await counted('a lead with everything', { tag: 3, project: 4, unit: 4 });
  await lead({ email: email(7), tag: 'Later', projectId: LIVE });
  await counted('a lead that gives a contact a tag and a project', { tag: 2, project: 3, unit: 4 });
  await lead({ email: email(7) });
  await counted('a lead that gives it nothing', { tag: 2, project: 3, unit: 4 });
  const contacts = [{ email: email(3), projectId: LIVE, unitId: UNIT }, { email: email(9) }];
  await send('a batch', 'post', '/contacts/batch', { contacts }, { tag: 3, project: 3, unit: 4 });

  const later = await tagId('Later');
  const tags = `/contacts/${plain}/tags`;
  await send(
    'a tag in place of another',
    'post',
    tags,
    { add: ['Next'], remove: [later] },
    { tag: 3, project: 3, unit: 4 },
  );
  await send(
    'no tag any more',
    'post',
    tags,
    { remove: [await tagId('Next')] },
    { tag: 4, project: 3, unit: 4 },
  );
  const links = `/contacts/${plain}/links`;
  const { id: linkId } = await send(
    'a link to a draft',
    'post',
    links,
    { projectId: DRAFT },
    { tag: 4, project: 3, unit: 4 },
  );
  const { id: ofUnit } = await send(
    'a link to a unit',
    'post',
    links,
    { projectId: LIVE, unitId: UNIT },
    { tag: 4, project: 3, unit: 3 },
  );
  await send('one link less', 'remove', `${links}/${linkId}`, undefined, {
    tag: 4,
    project: 3,
    unit: 3,
  });
  await send('no unit any more', 'remove', `${links}/${ofUnit}`, undefined, {
    tag: 4,
    project: 3,
    unit: 4,
  });

  const bulk = '/contacts/bulk';
  const both = [id(1), plain];
  await send(
    'a bulk change that adds a tag',
    'post',
    bulk,
    { ids: both, addTags: ['Bulk'] },
    { tag: 3, project: 3, unit: 4 },
  );
  const remove = { ids: both, removeTags: [await tagId('Bulk'), await tagId('Hot')] };
  await send('a bulk change that removes tags', 'post', bulk, remove, {
    tag: 5,
    project: 3,
    unit: 4,
  });
  await send(
    'a bulk change that archives',
    'post',
    bulk,
    { ids: [id(1)], archive: true },
    { tag: 4, project: 3, unit: 4 },
  );
  await send('a restored contact', 'post', `/contacts/${id(1)}/restore`, undefined, {
    tag: 5,
    project: 3,
    unit: 4,
  });

  const duplicateIds = [id(5)];
  await send(
    'a merge',
    'post',
    `/contacts/${id(4)}/merge`,
    { duplicateIds },
    { tag: 4, project: 2, unit: 3 },
  );
  const into = await tagId('New');
  await send(
    'a merged tag',
    'post',
    `/tags/${await tagId('Twin')}/merge`,
    { into },
    { tag: 4, project: 2, unit: 3 },
  );
  await send('a deleted tag', 'remove', `/tags/${into}`, undefined, {
    tag: 6,
    project: 2,
    unit: 3,
  });
  await send('an erased contact', 'remove', `/contacts/${id(4)}`, undefined, {
    tag: 5,
    project: 2,
    unit: 3,
  });

  await service.load({
    format: 'offplan-account/1',
    account: { slug: made.slug },
    contacts: [
      { id: id(6), email: email(6), links: [{ projectId: LIVE, unitId: UNIT }] },
      { id: id(3), email: email(3), tags: ['Loaded'] },
    ],
  });
  await counted('a load of known contacts', { tag: 4, project: 1, unit: 2 });
});
