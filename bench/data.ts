import { issueKey } from '../src/keys/index.ts';
import { findAccountBySlug } from '../src/accounts/index.ts';
import type { Access, Scope } from '../src/access/index.ts';
import type { Pool, Queryable } from '../src/platform/database/index.ts';
import { loadAccount } from '../src/portability/index.ts';

export interface Account {
  id: string;
  slug: string;
}

/** Creates an empty account. */
export async function makeAccount(db: Pool, slug: string): Promise<Account> {
  await loadAccount(db, accountFile(slug));
  const id = await findAccountBySlug(db, slug);
  if (id === undefined) throw new Error(`the account ${slug} was not made`);
  return { id, slug };
}

export const makeKey = (
  db: Pool,
  { id }: Account,
  access: Access | Scope[] = 'read',
): Promise<string> =>
  issueKey(db, id, { name: 'bench', ...(Array.isArray(access) ? { scopes: access } : { access }) });

/** Makes the account file of an empty account. */
export const accountFile = (slug: string) => ({
  format: 'offplan-account/1',
  account: {
    slug,
    organization: {
      companyName: 'Bench Limited',
      displayName: 'Bench',
      email: 'bench@example.com',
      location: 'Wellington',
      websiteUrl: 'https://bench.example',
    },
  },
});

/** SQL that makes an id which begins with the time, as those of the service do. PostgreSQL has uuidv7() from 18 on. */
export const NEW_ID = `(lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
  || substr(gen_random_uuid()::text, 15))::uuid`;

interface Stock {
  projects: number;
  /** The number of units of each project. */
  units: number;
  images: number;
}

/**
 * Creates live projects `project-1`, `project-2`, … with a hero image, a gallery and units, in ten regions and a hundred cities.
 */
export async function makeStock(
  db: Pool,
  { id, slug }: Account,
  { projects, units, images }: Stock,
): Promise<void> {
  // On a Citus, one statement may not write two tables, and adding an interval to a time must not depend on the time zone.
  const [{ clock } = { clock: new Date() }] = (await run(
    db,
    `update accounts set stock_clock = (stock_clock at time zone 'UTC' + $2 * interval '1 ms') at time zone 'UTC'
     where account_id = $1 returning stock_clock as clock`,
    [id, projects],
  )) as { clock: Date }[];
  await run(
    db,
    `insert into projects (account_id, id, slug, name, publication, status, development_description,
       estimated_completion_date, address_line_1, postal_code, latitude, longitude, city_name, region_name,
       region_slug, suburb_name, project_website_url, hero_image, gallery_images, created_at, city_key, region_key,
       region_slug_key, suburb_key, name_key, search_text, updated_at)
     select $1, ${NEW_ID}, 'project-' || n - 1, 'Harakeke Rise ' || n, 'live', 'Available',
       repeat('Apartments above the river. ', 20), '2028-03-31', n || ' Harakeke Street', '0112', -35.7168, 174.3214,
       'City ' || n % 100, 'Region ' || n % 10, 'region-' || n % 10, 'Suburb ' || n % 500,
       'https://harakeke-rise.example', json_build_object('key', $3 || '/projects/' || n || '/hero.jpg'),
       array_to_json(array(select json_build_object('key', $3 || '/projects/' || n || '/gallery-' || image || '.jpg')
         from generate_series(1, $4::int) as image)), $5::timestamptz,
       'city ' || n % 100, 'region ' || n % 10, 'region-' || n % 10, 'suburb ' || n % 500,
       'harakeke rise ' || n, ' harakeke rise ' || n || ' city ' || n % 100 || ' suburb ' || n % 500,
       $5::timestamptz - ($2 - n) * interval '1 ms'
     from generate_series(1, $2::int) as n`,
    [id, projects, slug, images, clock],
  );
  await run(
    db,
    `insert into units (account_id, id, project_id, position, name, lot_number, unit_type, status, level, bedrooms,
       bathrooms, car_spaces, aspect, internal_area_sqm, external_area_sqm, price, price_display, currency,
       floor_plan_image, created_at, updated_at, name_key, search_text)
     select $1, ${NEW_ID}, id, n, 'Apartment ' || n, to_jsonb(n::text), 'Apartment',
       case n % 4 when 0 then 'Reserved' else 'Available' end, to_jsonb(1 + n / 8), n % 4, 1 + n % 2, 1, 'North', 62.5, 8,
       640000 + n * 5000, 'From $640,000', 'NZD', json_build_object('key', $3 || '/baseline-plans/apartment-' || n || '.png'),
       created_at, updated_at, 'apartment ' || n, ' ' || n || ' apartment'
     from projects, generate_series(1, $2::int) as n where account_id = $1`,
    [id, units, slug],
  );
  await run(db, 'vacuum (analyze) projects, units', []);
}

/** Finds the id of a project of an account. */
export async function findProject(db: Pool, { id }: Account): Promise<string> {
  const [row] = (await run(db, 'select id from projects where account_id = $1 limit 1', [id])) as {
    id: string;
  }[];
  if (row === undefined) throw new Error('the account has no project');
  return row.id;
}

/** Changes up to `count` projects of the first page as a load would: it ticks the stock clock, and sets its times. */
export async function changeProjects(db: Pool, { id }: Account, count: number): Promise<void> {
  await run(
    db,
    `with page as (
       select id from projects where account_id = $1 order by updated_at desc limit 20
     ), chosen as (
       select id, row_number() over () as n from (select id from page order by random() limit $2) as few
     ), clock as (
       update accounts set stock_clock = greatest(now(), stock_clock + $2 * interval '1 ms')
       where account_id = $1 returning stock_clock
     )
     update projects set updated_at = clock.stock_clock - ($2 - chosen.n) * interval '1 ms'
     from chosen, clock where account_id = $1 and projects.id = chosen.id`,
    [id, count],
  );
  // Vacuum now and then: no account changes its stock so often that dead rows pile up as they do here.
  if ((touched += 1) % VACUUM_EACH === 0) await run(db, 'vacuum projects, accounts', []);
}

const VACUUM_EACH = 20;
let touched = 0;

/** Creates contacts `contact-N@example.com`, each with two tags, a note, an email lock and a line in the import log. */
export async function makeContacts(
  db: Pool,
  { id }: Account,
  count: number,
  from = 0,
): Promise<void> {
  const client = await db.connect();
  const insert = (table: string, columns: string, values: string, from = 'made') =>
    client.query(
      `insert into ${table} (account_id, ${columns}) select '${id}', ${values} from ${from} on conflict do nothing`,
    );
  try {
    // Do not check foreign keys: for these generated rows, that would take several times as long.
    await client.query('set session_replication_role = replica');
    await client.query('set enable_seqscan = on');
    await client.query(`create temp table made as
      select ${NEW_ID} as id, 'contact-' || n || '@example.com' as email
      from generate_series(${from + 1}, ${from + count}) as n`);
    await insert(
      'tags',
      'id, label, label_key',
      `${NEW_ID}, label, lower(label)`,
      `unnest(array['Website lead', 'Brochure']) as label`,
    );
    await insert(
      'contacts',
      'id, email, email_key, name, first_name, last_name, phone_mobile, stage, source, imported_at, created_at, ' +
        'name_key, search_text, has_phone, has_tag',
      `id, email, email, 'Aroha Ngata', 'Aroha', 'Ngata', '+64 21 555 0142', 'New', 'Website', now(), now(),
        'aroha ngata', ' #c64215550142 #n215550142 aroha ngata ' || email, true, true`,
    );
    await insert(
      'contact_tags',
      'contact_id, tag_id, id',
      `made.id, tag.id, ${NEW_ID}`,
      `made, (select id from tags where account_id = '${id}' limit 2) as tag`,
    );
    await insert('email_locks', 'email_sha256', `sha256(convert_to(email, 'UTF8'))`);
    await insert(
      'activities',
      'id, contact_id, type, body, occurred_at',
      `${NEW_ID}, id, 'note', 'Would like to see a two-bedroom apartment.', now()`,
    );
    await insert(
      'imports',
      'id, received_at, channel, payload, outcome, result',
      `${NEW_ID}, now(), 'single', json_build_object('email', email)::text, 'created', '{"action":"created"}'`,
    );
    await client.query('drop table made');
    await client.query(
      'vacuum (analyze) contacts, contact_tags, email_locks, activities, imports, tags',
    );
  } finally {
    // Close the connection, because nothing else must run with its settings.
    client.release(true);
  }
}

export async function run(db: Queryable, text: string, values: unknown[]): Promise<unknown[]> {
  const { rows } = await db.query({ name: '', text, values });
  return rows;
}
