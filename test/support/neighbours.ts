import { EXAMPLE_EVENT } from '../../src/events/index.ts';
import { accountIdOf } from './accounts.ts';
import {
  developerFile,
  developersOf,
  LIVE,
  OTHER_LIVE,
  UNIT,
  type Developer,
} from './developer.ts';
import { createWebhookSeal } from '../../src/webhooks/index.ts';
import { SECRET_KEY, type Answer, type TestApp } from './harness.ts';
import { run } from './sql.ts';

const EMAIL = 'aroha@example.com';

/** The ids of rows that only the neighbour has, for each kind of reference that a client can send. */
export const THEIRS = {
  project: '0196b000-0000-7000-8000-000000000001',
  unit: '0196b000-0000-7000-8000-000000000002',
  user: '0196b000-0000-7000-8000-000000000003',
  tag: '0196b000-0000-7000-8000-000000000004',
  contact: '0196b000-0000-7000-8000-000000000005',
  key: '0196b000-0000-7000-8000-000000000008',
  import: '0196b000-0000-7000-8000-000000000007',
  event: EXAMPLE_EVENT.id,
  /** A unit in the project whose id both accounts have. */
  unitOfLive: '0196b000-0000-7000-8000-000000000006',
  activity: '0196b000-0000-7000-8000-000000000008',
  link: '0196b000-0000-7000-8000-000000000009',
  view: '0196b000-0000-7000-8000-000000000010',
  draft: '0196b000-0000-7000-8000-000000000011',
  picture: 'a1'.repeat(32),
  file: '0196b000-0000-7000-8000-000000000013',
  /** It ends like the id of the example, since the ids of deliveries contain these last characters. */
  webhook: '0196b000-0000-7000-8000-03249bebad2a',
  delivery: '01a2144b-2a00-7000-abad-2a0000000002',
};

/** The import, the person and the key that the examples of the OpenAPI document name. */
export const EXAMPLE = '0196a24b-34ec-7db6-924f-03249bebad2a';
export const EXAMPLE_CONTACT = '0196a24b-34ec-7db6-924f-03249bebad2b';
const EXAMPLE_TWIN = '0196a24b-34ec-7db6-924f-03249bebad2c';
const EXAMPLE_PICTURE = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const EXAMPLE_LINK = '0196a24b-34ed-7302-a3ea-5b2c46f5e0c4';
const EXAMPLE_ACTIVITY = '0196a24b-34ed-7302-a3ea-5b2c46f5e0c5';
const EXAMPLE_OTHER_TAG = '0196a24b-34ec-7db6-924f-03249bebad2c';
export const EXAMPLE_PROJECT = '0195f33f-5d43-7c26-8284-63e7d7d9bfad';
const EXAMPLE_UNIT = '0195f33f-5d43-7c26-8284-63e7d7d9bfae';

/** Makes an account with the slugs and ids that each developer has, and with further rows that only it has. */
export async function neighbour(service: TestApp): Promise<Developer> {
  const developer = await developersOf(service)();
  const file = developerFile(developer.slug) as {
    account: { organization: object };
    users: object[];
    projects: { id: string; units: object[] }[];
  };
  const [like] = file.projects;
  await service.load({
    ...file,
    account: {
      slug: developer.slug,
      organization: { ...file.account.organization, companyName: 'Neighbour Limited' },
    },
    users: [
      ...file.users,
      { id: EXAMPLE, email: 'example@developer.example', name: 'Theirs' },
      { id: THEIRS.user, email: 'theirs@developer.example', name: 'Theirs', active: true },
    ],
    projects: [
      ...file.projects.map(({ units, ...project }) => ({
        ...project,
        name: 'Neighbour project',
        units: project.id === LIVE ? [...units, { id: THEIRS.unitOfLive, name: 'Theirs' }] : units,
      })),
      {
        ...like,
        id: EXAMPLE_PROJECT,
        slug: 'example',
        name: 'Neighbour project',
        units: [],
      },
      {
        ...like,
        id: THEIRS.project,
        slug: 'theirs',
        name: 'Neighbour project',
        units: [{ id: THEIRS.unit, name: '1A', status: 'Available' }],
      },
    ],
    tags: [{ label: 'Neighbour tag' }],
    contacts: [
      { id: THEIRS.contact, email: EMAIL, name: 'Neighbour contact', tags: ['Hot'] },
      { id: EXAMPLE_CONTACT, email: 'example@neighbour.example', name: 'Neighbour contact' },
    ],
  });
  const accountId = await accountIdOf(service.db, developer);
  for (const id of [THEIRS.import, EXAMPLE])
    await run(
      service.db,
      `insert into imports (account_id, id, received_at, channel, payload, outcome, result)
        values ($1, $2, now(), 'single', '{"email":"${id}@example.com"}', 'refused',
          '{"code":"invalid_request","status":400,"title":"x","type":"x","detail":"x"}')`,
      [accountId, id],
    );
  // The first event of the account becomes the one of the examples.
  await run(
    service.db,
    `update events set at = $1, subject = $2, type = 'contact.created'
      where sequence = $3 and account_id = $4`,
    [EXAMPLE_EVENT.timestamp, EXAMPLE_EVENT.data.id, EXAMPLE_EVENT.sequence, accountId],
  );
  // The example of POST /keys/find has the text of the second one.
  for (const [id, text] of [
    [THEIRS.key, 'theirs'],
    [EXAMPLE, 'offplan_…'],
  ])
    await run(
      service.db,
      `insert into api_keys (account_id, id, name, access, key_sha256, created_at)
        values ($1, $2, 'Theirs', 'read', sha256('${text}'::bytea), now())`,
      [accountId, id],
    );
  return developer;
}

/**
 * Restores the rows of a neighbour that requests erase, merge or delete: drafts, units, tags, views, and contacts that share an
 * email, with the links and activities that requests name. `linkedId` is the contact that has the link of the examples.
 */
export async function restoreContacts(
  service: TestApp,
  { slug }: Developer,
  linkedId = THEIRS.contact,
): Promise<void> {
  const { format, projects } = developerFile(slug) as { format: string; projects: object[] };
  const contacts = [THEIRS.contact, EXAMPLE_CONTACT, EXAMPLE_TWIN].map((id) => ({
    id,
    email: EMAIL,
    archivedAt: null,
  }));
  const drafts = [THEIRS.draft, EXAMPLE].map((id) => ({
    ...projects[0],
    id,
    slug: `draft-${id}`,
    name: 'Neighbour project',
    publication: 'draft',
    units: [],
  }));
  const { units: _, ...like } = projects[0] as { units: object[] };
  const live = { ...like, id: EXAMPLE_PROJECT, slug: 'example', name: 'Neighbour project' };
  await service.load({ format, account: { slug }, contacts, projects: [...drafts, live] });
  const accountId = await accountIdOf(service.db, { slug });
  const own = `'${accountId}'::uuid`;
  const each = (...ids: string[]) => `unnest('{${ids.join()}}'::uuid[]) as id`;
  // The path of a link names its contact, too.
  await run(
    service.db,
    `${restoreUnits(own)}
    insert into contact_links (account_id, id, contact_id, project_id) values
      (${own}, '${EXAMPLE_LINK}', '${linkedId}', '${LIVE}'),
      (${own}, '${THEIRS.link}', '${EXAMPLE_CONTACT}', '${OTHER_LIVE}')
      on conflict (account_id, id) do update set contact_id = excluded.contact_id;
    insert into tags (account_id, id, label, label_key)
      select ${own}, id, 'neighbour ' || id, 'neighbour ' || id
        from ${each(THEIRS.tag, EXAMPLE, EXAMPLE_OTHER_TAG)}
      on conflict (account_id, id) do update set label = excluded.label, label_key = excluded.label_key;
    delete from views where account_id = ${own};
    insert into views (account_id, id, resource, name, name_key, filter, shared, owner_type, owner_id)
      select ${own}, id, 'contacts', 'neighbour ' || id, 'neighbour ' || id, '{}', true, 'user', '${THEIRS.user}'
        from ${each(THEIRS.view, EXAMPLE)};
    insert into media (account_id, sha256, ext, bytes, width, height, created_at, created_by_type, created_by_id)
      select ${own}, sha256, 'jpg', 1, 1, 1, now(), 'user', '${THEIRS.user}'
        from unnest('{${THEIRS.picture},${EXAMPLE_PICTURE}}'::text[]) as sha256
      on conflict do nothing;
    insert into activities (account_id, id, contact_id, type, body, occurred_at)
      select ${own}, id, '${EXAMPLE_CONTACT}', 'note', 'Neighbour note', now()
        from ${each(THEIRS.activity, EXAMPLE_ACTIVITY)}
      on conflict do nothing`,
  );
  await restoreWebhooks(service, slug);
}

/** Inserts the webhooks that requests name, with the deliveries that they name. Nothing listens at the URL of the webhooks. */
export async function restoreWebhooks(
  service: TestApp,
  slug: string,
  { ids = [THEIRS.webhook, EXAMPLE], sequences = [1, 2] } = {},
): Promise<void> {
  const accountId = await accountIdOf(service.db, { slug });
  const { seal } = createWebhookSeal(SECRET_KEY);
  for (const id of ids) {
    await run(
      service.db,
      `insert into webhooks (account_id, id, url, types, with_objects, bulk, ordered, header_names, secret, created_at,
          created_by_type, cursor)
        values ($1, $2, 'http://127.0.0.1:1', '{key.rotated}', false, 'each', false, '{}', $3, now(), 'system', 0)
        on conflict (account_id, id) do update set disabled_reason = null`,
      [accountId, id, seal(accountId, id, 'whsec_AAAA')],
    );
    await run(
      service.db,
      `insert into webhook_deliveries (account_id, webhook_id, sequence, type, subject, event_at, status, attempt, at)
        select $1, $2, sequence, 'unit.updated', $4, '2026-11-25T20:00:00Z', 'failed', 1, now()
          from unnest($3::bigint[]) as sequence
        on conflict do nothing`,
      [accountId, id, sequences, UNIT],
    );
  }
}

/** A file with a lease. While it has one, no process works on another file of the account. */
const BUSY_FILE = '0196b000-0000-7000-8000-000000000012';

/** Inserts the contact files that requests name, or only that of the examples, with a status that the endpoint accepts. */
export async function restoreFiles(
  service: TestApp,
  { slug }: Developer,
  endpoint: string,
  ids = [THEIRS.file, EXAMPLE],
): Promise<void> {
  const status = endpoint.endsWith('/start') ? 'ready' : 'stopped';
  const columns = JSON.stringify(
    ['Work email', 'Fax'].map((header, at) => ({
      header,
      samples: [],
      field: at === 0 ? 'email' : null,
    })),
  );
  const author = { actor: { type: 'user', id: THEIRS.user }, requestId: null };
  await run(
    service.db,
    `insert into contact_files (account_id, id, name, media_format, status, created_at, actor_type, actor_id, delimiter,
        columns, options, lease, lease_until)
      select $4, id, 'theirs.csv', 'csv', $2, now(), 'user', '${THEIRS.user}', ',', $3::json, $5::json,
        case when id = '${BUSY_FILE}'::uuid then id end, now() + interval '1 hour'
      from unnest($1::uuid[]) as id
      on conflict (account_id, id) do update set status = excluded.status, columns = excluded.columns`,
    [
      [...ids, BUSY_FILE],
      status,
      columns,
      await accountIdOf(service.db, { slug }),
      JSON.stringify({ author }),
    ],
  );
}

/** The parts of an answer that do not depend on the id or the time of its request. */
export const withoutRequestId = ({ status, headers, text }: Answer) => ({
  status,
  // The length depends on the id of the request, too.
  headers: { ...headers, date: '', 'x-request-id': '', 'content-length': '' },
  text: text.replaceAll(String(headers['x-request-id']), ''),
});

/** Writes the SQL that restores the units that requests name: each alone in its project, and without links. */
function restoreUnits(own: string): string {
  return (
    [
      [THEIRS.unit, THEIRS.project],
      [EXAMPLE_UNIT, EXAMPLE_PROJECT],
    ]
      .map(
        ([unitId, projectId]) =>
          `delete from contact_links
          where account_id = ${own} and project_id = '${projectId}' and unit_id is not null;
        delete from units where account_id = ${own} and project_id = '${projectId}' and id <> '${unitId}';
        ${insertUnit(own, unitId, projectId)}`,
      )
      .join('') + insertUnit(own, UNIT, LIVE)
  );
}

/** Writes the SQL that inserts a unit, unless it is there or the account lacks its project. */
function insertUnit(own: string, unitId = '', projectId = ''): string {
  return `insert into units (account_id, id, project_id, position, name, status, name_key, search_text, created_at, updated_at)
    select account_id, '${unitId}', id, 0, '1A', 'Available', '1a', ' 1a', now(), now() from projects
    where account_id = ${own} and id = '${projectId}'
    on conflict (account_id, id) do nothing;`;
}
