import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import type { Bench } from '../bench.ts';
import type { Account } from '../data.ts';
import { BATCH_SIZE, LEADS, makeImporter, makeLeads, searchTextOf, sendBatches } from '../leads.ts';
import { compare, median, type Comparison, type Contender, type Sample } from '../measure.ts';
import { cpuMs, peakMb, runToEnd, type Running } from '../process.ts';

/** So many leads that PostgreSQL vacuums the tables meanwhile, as it does during a large file. */
const FILE_LEADS = 5 * LEADS;

/** Measures leads in batches of 1,000 over HTTP, two in flight, and leads from a file. */
export async function bulk(bench: Bench): Promise<Comparison[]> {
  const { db, rounds } = bench;
  const { account, projectId, key } = await makeImporter(db, 'bulk');
  const baseline = (leads: number): Contender => ({
    name: 'SQL in sets',
    run: () => sets(bench, account, projectId, leads),
  });
  const service = await bench.serve();
  const comparisons = [
    await compare(
      'batches of 1,000 over HTTP, two in flight',
      [baseline(LEADS), { name: 'service', run: () => overHttp(bench, service, key, projectId) }],
      { reach: 0.75, rounds },
    ),
    await compare(
      `a file of ${FILE_LEADS} leads, one in a hundred bad`,
      [
        baseline(FILE_LEADS),
        { name: 'offplan import', run: () => file(bench, account, projectId) },
      ],
      { reach: 0.75, rounds: Math.min(rounds, 3) },
    ),
  ];
  await service.stop();
  return comparisons;
}

/**
 * Imports the same leads with SQL only. It looks up the emails, and writes the import log, events and changes as the service
 * does, but it takes no lock and applies no other rule.
 */
async function sets(
  bench: Bench,
  { id }: Account,
  projectId: string,
  leads: number,
): Promise<Sample> {
  let statementMs = 0;
  const before = cpuMs(bench.postgresPid);
  for (let done = 0; done < leads; done += BATCH_SIZE) {
    const text = JSON.stringify(
      makeLeads(BATCH_SIZE, projectId).map((lead, index) => ({
        ...lead,
        index,
        id: uuidv7(),
        noteId: uuidv7(),
        importId: uuidv7(),
        payload: lead,
        searchText: searchTextOf(lead),
      })),
    );
    const startMs = performance.now();
    await bench.db.query({ name: 'sets', text: SETS, values: [id, text] });
    statementMs += performance.now() - startMs;
  }
  return {
    perSecond: (leads * 1_000) / statementMs,
    postgresUs: ((cpuMs(bench.postgresPid) - before) * 1_000) / leads,
  };
}

const SETS = `with lead as materialized (
    select * from json_to_recordset($2::json) as r(id uuid, "noteId" uuid, "importId" uuid, index integer,
      payload json, "searchText" text, email text, "firstName" text, "lastName" text, "mobilePhone" text,
      source text, tags json, notes text, "projectId" uuid)
    where not exists (select from contacts where account_id = $1 and email_key = r.email)
  ),
  label as (select distinct label from lead, json_array_elements_text(lead.tags) as label),
  new_tag as (
    insert into tags (account_id, id, label, label_key) select $1, gen_random_uuid(), label, lower(label) from label
    where not exists (select from tags where account_id = $1 and label_key = lower(label))
    on conflict do nothing returning id, label_key
  ),
  tag as (
    select id, label_key from tags where account_id = $1 and label_key in (select lower(label) from label)
    union all select * from new_tag
  ),
  made as (
    insert into contacts (account_id, id, email, email_key, name, first_name, last_name, phone_mobile, stage, source,
      imported_at, created_at, name_key, search_text, has_phone, has_tag, has_project, project_ids, latest_activity_at)
    select $1, id, email, email, "firstName" || ' ' || "lastName", "firstName", "lastName", "mobilePhone", 'New', source,
      now(), now(), lower("firstName" || ' ' || "lastName"), "searchText", true, true, true,
      array["projectId"], now() from lead
  ),
  tagged as (
    insert into contact_tags (account_id, contact_id, tag_id, id)
    select $1, lead.id, tag.id, gen_random_uuid()
    from lead, json_array_elements_text(lead.tags) as label, tag where tag.label_key = lower(label)
    on conflict do nothing
  ),
  noted as (
    insert into activities (account_id, id, contact_id, type, body, occurred_at)
    select $1, "noteId", id, 'note', notes, now() from lead
  ),
  logged as (
    insert into imports (account_id, id, received_at, channel, payload, outcome, result)
    select $1, "importId", now(), 'batch', payload, 'created', json_build_object('contactId', id) from lead
  ),
  raised as (
    update account_revisions set sequence = sequence + 5 * (select count(*) from lead),
      revision = greatest(now(), revision + (select count(*) from lead) * interval '1 millisecond')
    where account_id = $1 returning sequence - 5 * (select count(*) from lead) as sequence
  ),
  appended as (
    insert into events (account_id, sequence, at, actor_type, type, subject, data)
    select $1, sequence + 5 * index + event.place, now(), 'key', type, lead.id, data
    from raised, lead, lateral (values
      (1, 'contact.created', json_build_object('importId', "importId",
        'changed', array['email', 'firstName', 'lastName', 'name', 'mobilePhone', 'source', 'stage'])),
      (2, 'contact.tagged', json_build_object('tagIds', (select array_agg(id) from tag))),
      (3, 'contact.linked', json_build_object('projectId', "projectId")),
      (4, 'activity.created', json_build_object('id', "noteId")),
      (5, 'contact.enquired', json_build_object('projectId', "projectId", 'importId', "importId"))
    ) as event (place, type, data)
  ),
  changed as (
    insert into changes (account_id, sequence, at, actor_type, subject_type, subject, import_id, after)
    select $1, sequence + 5 * index + 1, now(), 'key', 'contact', id, "importId", json_build_object('email', email,
      'firstName', "firstName", 'lastName', "lastName", 'mobilePhone', "mobilePhone", 'source', source, 'stage', 'New',
      'tags', tags)
    from raised, lead
  )
  insert into contact_links (account_id, id, contact_id, project_id)
  select $1, gen_random_uuid(), lead.id, p.id from lead
  join projects p on p.account_id = $1 and p.id = lead."projectId" and p.publication = 'live'
  on conflict do nothing`;

async function overHttp(bench: Bench, { url, pid }: Running, key: string, projectId: string) {
  const before = [cpuMs(pid), cpuMs(bench.postgresPid)];
  const startMs = performance.now();
  const times = await sendBatches(`${url}/api/v1/contacts/batch`, key, projectId, LEADS);
  const seconds = (performance.now() - startMs) / 1_000;
  const [cpuUs = 0, postgresUs = 0] = [cpuMs(pid), cpuMs(bench.postgresPid)].map(
    (after, at) => ((after - (before[at] ?? 0)) * 1_000) / LEADS,
  );
  return {
    perSecond: LEADS / seconds,
    p50Ms: median(times),
    p99Ms: Math.max(...times),
    cpuUs,
    postgresUs,
    memoryMb: peakMb(pid),
  };
}

/** Imports a CSV by the command, in a process of its own. The time includes the start. */
async function file(bench: Bench, { slug }: Account, projectId: string): Promise<Sample> {
  const count = FILE_LEADS;
  const path = join(bench.folder, 'leads.csv');
  const report = join(bench.folder, `refused-${Date.now()}.csv`);
  const header = 'E-mail,First Name,Last Name,Mobile,Source,Tags,Notes,Project ID';
  const lines = makeLeads(count, projectId).map((each, n) => {
    const email = n % 100 === 50 ? 'nobody' : each.email;
    return `${email},${each.firstName},${each.lastName},${each.mobilePhone},${each.source},"${each.tags.join(', ')}","${each.notes}",${projectId}`;
  });
  writeFileSync(path, `${[header, ...lines].join('\n')}\n`);
  const before = cpuMs(bench.postgresPid);
  const { stdout, seconds, memoryMb, ...ended } = await runToEnd(
    [...bench.offplan, 'import', slug, path, '--report', report],
    { DATABASE_URL: bench.databaseUrl },
  );
  const bad = count / 100;
  const summary = `${(count - bad).toLocaleString('en')} created, 0 merged, ${bad.toLocaleString('en')} refused`;
  if (!stdout.includes(summary)) throw new Error(`not ${summary}: ${stdout}`);
  const refused = readFileSync(report, 'utf8').trimEnd().split('\n').length - 1;
  if (refused !== bad) throw new Error(`${refused} rows are in the report`);
  return {
    perSecond: count / seconds,
    memoryMb,
    cpuUs: (ended.cpuMs * 1_000) / count,
    postgresUs: ((cpuMs(bench.postgresPid) - before) * 1_000) / count,
  };
}
