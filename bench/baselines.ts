/*
 * The baselines: what a bare Fastify does with the same bytes or the same rows, in a few lines and without
 * authentication, headers, request log or rules. Each is a process of its own: `node bench/baselines.ts NAME [ARGUMENTS]`.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import Fastify from 'fastify';
import { uuidv7 } from 'uuidv7';
import { openPool } from '../src/platform/database/index.ts';
import { searchTextOf, type Lead } from './leads.ts';

const [name = '', ...args] = process.argv.slice(2);
const app = Fastify();
const db = openPool(process.env['DATABASE_URL'] ?? '', () => undefined);
const JSON_TYPE = 'application/json; charset=utf-8';

const UNITS = `lateral (
  select count(*) as all, count(*) filter (where status = 'Available') as available,
    coalesce(json_agg(unit), '[]') as json
  from (
    select id, name, lot_number as "lotNumber", unit_type as "unitType", status, level, bedrooms, bathrooms,
      car_spaces as "carSpaces", aspect, internal_area_sqm as "internalAreaSqm", external_area_sqm as "externalAreaSqm",
      land_area_sqm as "landAreaSqm", price, price_display as "priceDisplay", currency,
      json_build_object('key', floor_plan_image ->> 'key', 'url', $2 || (floor_plan_image ->> 'key')) as "floorPlanImage"
    from units u where u.account_id = $1 and u.project_id = p.id and u.status <> 'Withdrawn' order by position, u.id
  ) unit) units`;

const PICTURES = `'heroImage', json_build_object('key', hero_image ->> 'key', 'url', $2 || (hero_image ->> 'key')),
  'galleryImages', (select json_agg(json_build_object('key', image ->> 'key', 'url', $2 || (image ->> 'key'))) from json_array_elements(gallery_images) image)`;

const ADDRESS = `'addressLine1', address_line_1, 'addressLine2', address_line_2, 'postalCode', postal_code,
  'cityName', city_name, 'regionName', region_name, 'regionSlug', region_slug, 'suburbName', suburb_name`;

const ORGANIZATION = `(select json_build_object('id', account_id, 'companyName', company_name, 'displayName',
  display_name, 'intro', intro, 'email', email, 'phone', phone, 'location', location, 'websiteUrl', website_url,
  'logoImage', logo_image_key) from accounts where account_id = $1)`;

const PAGE = `select json_build_object('organization', ${ORGANIZATION}, 'projects', (
  select json_agg(item) from (
    select json_build_object('id', p.id, 'slug', slug, 'name', p.name, 'status', p.status, ${ADDRESS},
      'latitude', latitude, 'longitude', longitude, 'updatedAt', updated_at, ${PICTURES},
      'unitCount', units.all, 'availableUnitCount', units.available, 'units', units.json) as item
    from (select * from projects where account_id = $1 and publication = 'live'
      order by updated_at desc, id desc limit 20) p, ${UNITS}
    order by updated_at desc, p.id desc) items))::text as body`;

const DETAIL = `select json_build_object('organization', ${ORGANIZATION}, 'project', (
  select json_build_object('id', p.id, 'slug', slug, 'name', p.name, 'status', p.status, ${ADDRESS},
    'developmentDescription', development_description, 'estimatedCompletionDate', estimated_completion_date,
    'projectWebsiteUrl', project_website_url, ${PICTURES},
    'relatedProjects', coalesce((select json_agg(json_build_object('id', o.id, 'slug', o.slug, 'name', o.name,
      'heroImage', o.hero_image ->> 'key')) from related_projects r
      join projects o on o.account_id = $1 and o.id = r.related_project_id
      where r.account_id = $1 and r.project_id = p.id), '[]'),
    'units', units.json)
  from (select * from projects where account_id = $1 and slug = $3) p, ${UNITS}))::text as body`;

/*
 * One statement, in a transaction of its own, that writes a lead: its look-up, two tags, a note, a link, its line of the import
 * log, its events and its changes.
 */
const LEAD = `with found as (select id from contacts where account_id = $1 and email_key = $3),
  made as (
    insert into contacts (account_id, id, email, email_key, name, first_name, last_name, phone_mobile, stage, source,
      imported_at, created_at, name_key, search_text, has_phone, has_tag, has_project, project_ids, latest_activity_at)
    select $1, $2, $3, $3, $4 || ' ' || $5, $4, $5, $6, 'New', $7, now(), now(), lower($4 || ' ' || $5), $16, true, true,
      true, array[$13::uuid], now() where not exists (select from found)
    returning id
  ),
  contact as (select id from found union all select id from made),
  new_tags as (
    insert into tags (account_id, id, label, label_key)
    select $1, id, label, lower(label) from unnest($8::uuid[], $9::text[]) as r(id, label)
    where not exists (select from tags where account_id = $1 and label_key = lower(label))
    on conflict do nothing returning id
  ),
  tagged as (
    insert into contact_tags (account_id, contact_id, tag_id, id)
    select $1, contact.id, tag.id, gen_random_uuid() from contact, (
      select id from tags where account_id = $1 and label_key in (select lower(label) from unnest($9::text[]) as label)
      union all select id from new_tags) as tag
    on conflict do nothing
  ),
  noted as (
    insert into activities (account_id, id, contact_id, type, body, occurred_at)
    select $1, $10, id, 'note', $11, now() from contact
  ),
  linked as (
    insert into contact_links (account_id, id, contact_id, project_id)
    select $1, $12, contact.id, p.id from contact, projects p
    where p.account_id = $1 and p.id = $13 and publication = 'live'
    on conflict do nothing
  ),
  logged as (
    insert into imports (account_id, id, received_at, channel, payload, outcome, result)
    select $1, $14, now(), 'single', $15, 'created', json_build_object('contactId', id) from contact
  ),
  raised as (
    update account_revisions set sequence = sequence + 5, revision = greatest(now(), revision + interval '1 millisecond')
    where account_id = $1 returning sequence
  ),
  appended as (
    insert into events (account_id, sequence, at, actor_type, type, subject, data)
    select $1, sequence - later, now(), 'key', type, contact.id, data from raised, contact, (values
      (4, 'contact.created', json_build_object('importId', $14::uuid,
        'changed', array['email', 'firstName', 'lastName', 'name', 'mobilePhone', 'source', 'stage'])),
      (3, 'contact.tagged', json_build_object('tagIds', $8::uuid[])),
      (2, 'contact.linked', json_build_object('projectId', $13::uuid)),
      (1, 'activity.created', json_build_object('id', $10::uuid)),
      (0, 'contact.enquired', json_build_object('projectId', $13::uuid, 'importId', $14::uuid))
    ) as event (later, type, data)
  ),
  changed as (
    insert into changes (account_id, sequence, at, actor_type, subject_type, subject, import_id, after)
    select $1, sequence - 4, now(), 'key', 'contact', contact.id, $14, json_build_object('email', $3, 'firstName', $4,
      'lastName', $5, 'mobilePhone', $6, 'source', $7, 'stage', 'New', 'tags', $9::text[]) from raised, contact
  )
  select id, (select count(*) from found) > 0 as merged from contact`;

type Row = { body: string | null };

const BASELINES: Record<string, () => void> = {
  // FILE CODING: answers with the bytes of a file.
  bytes() {
    const [file = '', coding] = args;
    const body = readFileSync(file);
    app.get('/', (_request, reply) => {
      if (coding !== undefined) reply.header('content-encoding', coding);
      reply.header('content-type', JSON_TYPE).send(body);
    });
  },
  // Send the headers that a 304 must repeat: RFC 9110, 15.4.5.
  'not-modified': () => {
    const validators = {
      etag: `"${'x'.repeat(43)}"`,
      'cache-control': 'private',
      vary: 'accept-encoding',
    };
    app.get('/', (_request, reply) => void reply.code(304).headers(validators).send());
  },
  // ACCOUNT: reads a page by one statement.
  page() {
    app.get('/', async (_request, reply) => {
      const { rows } = await db.query<Row>({ name: 'page', text: PAGE, values: [args[0], BASE] });
      return reply.header('content-type', JSON_TYPE).send(rows[0]?.body);
    });
  },
  detail() {
    app.get<{ Params: { slug: string } }>('/:slug', async (request, reply) => {
      const values = [args[0], BASE, request.params.slug];
      const { rows } = await db.query<Row>({ name: 'detail', text: DETAIL, values });
      return reply.header('content-type', JSON_TYPE).send(rows[0]?.body);
    });
  },
  // ACCOUNT PROJECT: writes a lead by the one statement `LEAD`.
  lead: leads,
  // Sends the body of the request to its `url` `count` times, `inFlight` at a time.
  post: postAgain,
};

const BASE = 'https://media.example.com/offplan/';

function leads(): void {
  app.post('/', async (request, reply) => {
    const body = request.body as Lead;
    const { email, firstName, lastName, mobilePhone, source, tags, notes } = body;
    const id = uuidv7();
    const values = [args[0], id, email, firstName, lastName, mobilePhone, source];
    values.push(
      ...([tags.map(() => uuidv7()), tags, uuidv7(), notes, uuidv7(), args[1]] as string[]),
    );
    values.push(uuidv7(), JSON.stringify(body), searchTextOf(body));
    const { rows } = await db.query<{ id: string }>({ name: 'lead', text: LEAD, values });
    return reply.code(201).send({ action: 'created', contactId: rows[0]?.id, email });
  });
}

interface Posts {
  url: string;
  body: string;
  count: number;
  inFlight: number;
}

function postAgain(): void {
  const agent = new Agent({ keepAlive: true });
  const headers = { 'content-type': 'application/json' };
  app.post<{ Body: Posts }>('/', async ({ body: { url, body, count, inFlight } }) => {
    let left = count;
    async function send(): Promise<void> {
      while (left-- > 0) {
        const sending = request(url, { method: 'POST', agent, headers });
        sending.end(body);
        const [response] = (await once(sending, 'response')) as [IncomingMessage];
        response.resume();
        await once(response, 'end');
      }
    }
    await Promise.all(Array.from({ length: inFlight }, send));
    return {};
  });
}

const baseline = BASELINES[name];
if (baseline === undefined) throw new Error(`there is no baseline ${name}`);
baseline();
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
process.once('SIGINT', () => process.exit());
