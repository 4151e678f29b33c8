import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DRAFT, LIVE, NOWHERE, OTHER_LIVE, OTHER_UNIT, UNIT } from './support/developer.ts';
import { testAccountsOf, type Api } from './support/test-accounts.ts';
import { build } from './support/harness.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);

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

/** Compares the lists of contacts without a tag, a project or a unit with the contacts. Returns how many each of the three has. */
async function countWithout(api: Api, after: string): Promise<number[]> {
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
  return Object.values(counts);
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

const email = (n: number) => `c${n}@example.com`;

const STORED = [
  { id: id(1), email: email(1), tags: ['Hot'], links: [{ projectId: LIVE, unitId: UNIT }] },
  { id: id(2), email: email(2), links: [{ projectId: LIVE }], archivedAt: '2026-01-01T00:00:00Z' },
  { id: id(3), email: email(3) },
  { id: id(4), email: 'twin@example.com' },
  {
    id: id(5),
    email: 'twin@example.com',
    tags: ['Twin'],
    links: [{ projectId: LIVE, unitId: UNIT }],
  },
  { id: id(6), email: email(6), tags: ['Cold'] },
];

const SCOPES = [
  'contacts:read',
  'contacts:write',
  'contacts:manage',
  'leads:import',
  'contacts:erase',
  'settings:write',
  'stats:read',
] as const;

test('the lists of contacts without a tag, project or unit are right after every way to write a contact', async () => {
  const { developer, lead, program } = await makeAccount(STORED);
  const api = await program(...SCOPES);

  async function send(method: 'post' | 'remove', path: string, payload?: object) {
    const { status, text, body } = await api[method](path, payload);
    assert.ok(status < 300, `${path}: ${text}`);
    return body;
  }
  const post = (path: string, payload?: object) => send('post', path, payload);
  const remove = (path: string) => send('remove', path);
  const tagId = async (label: string) => {
    const tags: { id: string; label: string }[] = (await api.get('/tags?limit=100')).body.data;
    return tags.find((tag) => tag.label === label)?.id;
  };

  /** Writes contacts in some way. Then so many contacts have no tag, no project and no unit. */
  async function step<T>(what: string, without: number[], write: () => Promise<T>): Promise<T> {
    const result = await write();
    assert.deepEqual(await countWithout(api, what), without, what);
    return result;
  }

  await step('a load', [2, 3, 3], async () => undefined);
  const plain = await step('a lead with an email alone', [3, 4, 4], () =>
    lead({ email: email(7) }),
  );
  await step('a lead with everything', [3, 4, 4], () =>
    lead({ email: email(8), tags: 'New', projectId: OTHER_LIVE, unitId: OTHER_UNIT }),
  );
  await step('a lead that gives a contact a tag and a project', [2, 3, 4], () =>
    lead({ email: email(7), tag: 'Later', projectId: LIVE }),
  );
  await step('a lead that gives it nothing', [2, 3, 4], () => lead({ email: email(7) }));
  const contacts = [{ email: email(3), projectId: LIVE, unitId: UNIT }, { email: email(9) }];
  await step('a batch', [3, 3, 4], () => post('/contacts/batch', { contacts }));

  const tags = `/contacts/${plain}/tags`;
  await step('a tag in place of another', [3, 3, 4], async () =>
    post(tags, { add: ['Next'], remove: [await tagId('Later')] }),
  );
  await step('no tag any more', [4, 3, 4], async () =>
    post(tags, { remove: [await tagId('Next')] }),
  );
  const links = `/contacts/${plain}/links`;
  const toDraft = await step('a link to a draft', [4, 3, 4], () =>
    post(links, { projectId: DRAFT }),
  );
  const toUnit = await step('a link to a unit', [4, 3, 3], () =>
    post(links, { projectId: LIVE, unitId: UNIT }),
  );
  await step('one link less', [4, 3, 3], () => remove(`${links}/${toDraft.id}`));
  await step('no unit any more', [4, 3, 4], () => remove(`${links}/${toUnit.id}`));

  const bulk = '/contacts/bulk';
  const ids = [id(1), plain];
  await step('a bulk change that adds a tag', [3, 3, 4], () =>
    post(bulk, { ids, addTags: ['Bulk'] }),
  );
  await step('a bulk change that removes tags', [5, 3, 4], async () =>
    post(bulk, { ids, removeTags: [await tagId('Bulk'), await tagId('Hot')] }),
  );
  await step('a bulk change that archives', [4, 3, 4], () =>
    post(bulk, { ids: [id(1)], archive: true }),
  );
  await step('a restored contact', [5, 3, 4], () => post(`/contacts/${id(1)}/restore`));

  await step('a merge', [4, 2, 3], () =>
    post(`/contacts/${id(4)}/merge`, { duplicateIds: [id(5)] }),
  );
  const into = await tagId('New');
  await step('a merged tag', [4, 2, 3], async () =>
    post(`/tags/${await tagId('Twin')}/merge`, { into }),
  );
  await step('a deleted tag', [6, 2, 3], () => remove(`/tags/${into}`));
  await step('an erased contact', [5, 2, 3], () => remove(`/contacts/${id(4)}`));

  await step('a load of known contacts', [4, 1, 2], () =>
    service.load({
      format: 'offplan-account/1',
      account: { slug: developer.slug },
      contacts: [
        { id: id(6), email: email(6), links: [{ projectId: LIVE, unitId: UNIT }] },
        { id: id(3), email: email(3), tags: ['Loaded'] },
      ],
    }),
  );
});
