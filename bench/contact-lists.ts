import type { Pool, Queryable } from '../src/platform/database/index.ts';
import { NEW_ID, run, type Account } from './data.ts';

/** The sorts of contact lists. */
export const SORTS = [
  '-createdAt',
  'createdAt',
  '-updatedAt',
  'updatedAt',
  '-lastActivityAt',
  'lastActivityAt',
  'name',
  '-name',
];

const FIRST = `array['James','Olivia','Aroha','Wiremu','Charlotte','Noah','Mereana','Hemi','Isla','Jack','Amelia','Leo','Priya',
  'Arjun','Wei','Mei','Sofia','Liam','Grace','Hana','Tama','Zoe','Lucas','Ruby','Oliver','Ella','Mason','Ava','George','Mia']`;
const LAST = `initcap((array['mac','ber','har','wil','and','tho','pet','ste','rob','sim','kel','mor'])[1 + n * 7 % 12]
  || (array['ro','ta','li','ken','son','der','man','ley','wi','na','ga','hu'])[1 + n / 3 % 12]
  || (array['','son','ton','s','well','ford','ngi','a'])[1 + n / 37 % 8])`;

/** The SQL of the number of a contact, which is in its email. */
const NUMBER = `substring(email from '(\\d+)@')::int`;

/** The SQL of the index of contact `n`'s project among 60 projects. The first ones have many contacts, the last ones few. */
const PROJECT = `(n % 60) * (n % 60) / 60`;

/**
 * Drops the indexes of contacts, except the primary key. Returns a function that creates them again: to write index entries row
 * by row takes many times as long for a million rows.
 */
async function dropIndexes(db: Queryable): Promise<() => Promise<void>> {
  const indexes = (await run(
    db,
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid = 'contacts'::regclass and not indisprimary`,
    [],
  )) as { name: string; definition: string }[];
  for (const { name } of indexes) await run(db, `drop index ${name}`, []);
  return async () => {
    await run(db, `set maintenance_work_mem = '512MB'`, []);
    for (const { definition } of indexes) await run(db, definition, []);
  };
}

/**
 * Makes contacts of four years. Some values are in nearly all of them, some in few, and some in five. Every second contact was
 * answered within two days. They are stored in the order of their creation, as in a real account: an index-only scan looks at the
 * visibility map for each entry, which costs more when the rows have no order. Returns the filters to measure.
 */
export async function makeListedContacts(pool: Pool, { id }: Account, count: number) {
  const db = await pool.connect();
  await run(db, 'set session_replication_role = replica', []);
  await run(db, 'set enable_seqscan = on', []);
  const createIndexes = await dropIndexes(db);
  const [people, tags] = await Promise.all(
    [
      `insert into users (account_id, id, email, email_key, name, active)
        select $1, ${NEW_ID}, n || '@bench.example', n || '@bench.example', 'Person ' || n, true
        from generate_series(1, 20) n returning id`,
      `insert into tags (account_id, id, label, label_key)
        select $1, ${NEW_ID}, 'Tag ' || n, 'tag ' || n from generate_series(1, 100) n returning id`,
    ].map((text) => run(db, text, [id])),
  );
  const projects = await run(db, 'select id from projects where account_id = $1 order by id', [id]);
  const idOf = (rows: unknown[] | undefined, at: number) =>
    String((rows?.[at] as { id?: string } | undefined)?.id);
  const idsOf = (rows: unknown[] | undefined) => (rows ?? []).map((_, at) => idOf(rows, at));
  await run(
    db,
    `insert into contacts (account_id, id, email, email_key, name, first_name, last_name, phone_primary, stage, source,
       buyer_type, imported_at, archived_at, assigned_account_user_id, revision, created_at, latest_activity_at, name_key,
       search_text, has_phone, has_tag, has_project, has_unit, project_ids, first_answer_at)
     select $1, id, email, email, first || ' ' || last, first, last, case when n % 5 > 0 then '+64 21 ' || digits end,
       case when n % ($2::int / 5) = 0 then 'Reserved' when n % 20 < 9 then 'New' when n % 20 < 13 then 'Contacted'
         when n % 20 < 15 then 'Qualified' when n % 20 < 16 then 'Viewing' when n % 20 < 18 then 'Settled' else 'Lost' end,
       case when n % 10 < 5 then 'Website' when n % 10 < 6 then 'Referral' when n % 997 = 0 then 'Agent' else 'Other' end,
       case when n % 9 = 0 then 'Investor' when n % 11 = 0 then 'First Home Buyer' when n % 1501 = 0 then 'Downsizer' end,
       created, case when n % 33 = 0 then created end,
       case when n % 5 < 3 then ($3::uuid[])[1 + (n % 400) * (n % 400) * 20 / 160000] end,
       created + (n * 7919::bigint % 1000) / 1000.0 * (now() - created), created,
       case when n % 3 = 0 then created + (n * 104729::bigint % 1000) / 1000.0 * (now() - created) end,
       lower(first || ' ' || last),
       lower(case when n % 5 > 0 then ' #c6421' || digits || ' #n21' || digits else '' end || ' ' || first || ' ' || last || ' ' ||
         email || ' ' || last || n || '@example.co.nz example.co.nz co.nz nz'),
       n % 5 > 0, n % 5 < 2 or n % 3 = 0, true, n % 1000 > 0,
       array[($4::uuid[])[1 + ${PROJECT}]],
       case when n % 2 = 0 then created + n % 172800 * interval '1 second' end
     from (
       select n, created, uuidv7(created - now()) as id, (${FIRST})[1 + n * 11 % 30] as first, ${LAST} as last,
         lower((${FIRST})[1 + n * 11 % 30] || '.' || ${LAST} || n || '@example.co.nz') as email,
         lpad((n * 7919::bigint % 10000000)::text, 7, '0') as digits
       from (select n, now() - interval '4 years' * (1 - n / $2::float) as created from generate_series(1, $2::int) n) each
     ) made`,
    [id, count, idsOf(people), idsOf(projects)],
  );
  await run(
    db,
    `insert into contact_tags (account_id, contact_id, tag_id, id)
     select $1, id, ($2::uuid[])[tag], ${NEW_ID} from (
       select id, ${NUMBER} as n from contacts where account_id = $1
     ) c, lateral (values (case when n % 5 < 2 then 1 end), (case when n % 3 = 0 then 3 + n % 90 end),
       (case when n in (5, 5000, 50000) then 2 end)) as t(tag)
     where tag is not null`,
    [id, idsOf(tags)],
  );
  await run(
    db,
    `insert into contact_links (account_id, id, contact_id, project_id, unit_id)
     select $1, ${NEW_ID}, c.id, c.project_id, case when c.n % 1000 > 0 then u.id end from (
       select id, project_ids[1] as project_id, ${NUMBER} as n from contacts where account_id = $1
     ) c join (
       select id, project_id, row_number() over (partition by project_id order by id) as n from units where account_id = $1
     ) u on u.project_id = c.project_id and u.n = 1 + c.n / 60 % 4`,
    [id],
  );
  await createIndexes();
  await run(db, 'vacuum (analyze) contacts, contact_tags, contact_links, users, tags', []);
  const units = await run(
    db,
    'select id from units where account_id = $1 and project_id = $2 order by id',
    [id, idOf(projects, 0)],
  );
  // Close the connection, because nothing else must run with its settings.
  db.release(true);
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  return {
    'no filter': {},
    'stage of most': { stage: 'New' },
    'stage of five': { stage: 'Reserved' },
    'source of few': { source: 'Agent' },
    'buyer type of few': { buyerType: 'Downsizer' },
    'no buyer type': { buyerType: 'none' },
    'tag of 400,000': { tag: idOf(tags, 0) },
    'tag of three': { tag: idOf(tags, 1) },
    'tag of a third of a hundredth': { tag: idOf(tags, 10) },
    'person of many': { assignedTo: idOf(people, 0) },
    'person of few': { assignedTo: idOf(people, 19) },
    'assigned to nobody': { assignedTo: 'none' },
    'project of many': { project: idOf(projects, 0) },
    'project of few': { project: idOf(projects, 58) },
    // Every contact has a project, all but a thousandth have a unit, and three fifths have a tag.
    'no project': { project: 'none' },
    'no unit': { unit: 'none' },
    'no tag': { tag: 'none' },
    'unit of many': { unit: idOf(units, 0) },
    archived: { archived: 'true' },
    'without a phone': { hasPhone: 'false' },
    'created within a day': { createdAfter: ago(1) },
    'created within a month': { createdAfter: ago(30) },
    'created in the first month': { createdBefore: ago(4 * 365 - 30) },
    'active within a day': { lastActivityAfter: ago(1) },
    'changed within a day': { updated_since: ago(1) },
    'a first and a last name': { q: 'james wilson' },
    'a first name': { q: 'olivia' },
    'a last name': { q: 'macrowell' },
    'an email': { q: 'olivia.macro' },
    'a phone': { q: '021 467 96' },
    'two letters each': { q: 'ja wi' },
    'a word that no contact has': { q: 'zzzzqq' },
    'new, with a tag, of a project': {
      stage: 'New',
      tag: idOf(tags, 0),
      project: idOf(projects, 0),
    },
    'new, assigned to nobody': { stage: 'New,Contacted', assignedTo: 'none' },
    'a name, new': { q: 'wilson', stage: 'New' },
  };
}
