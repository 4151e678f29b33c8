import sql, { type Sql } from 'sql-template-tag';
import { contactRow, findTags } from '../contacts/index.ts';
import { query, queryStoredRows, type Queryable } from '../platform/database/index.ts';
import { isUuid } from '../platform/text/index.ts';
import type { Lead } from './lead.ts';
import type { Reference } from './references.ts';
import type { FoundContact, LeadContext } from './rules.ts';

/*
 * These statements look up rows by their keys, one by one. `offset 0` keeps PostgreSQL from joining the look-ups: on a table
 * without statistics, a join reads all rows of the account. A worker of Citus plans each statement anew, so a statement that
 * every lead needs reads one table. The service sends them at once.
 */

/** The clock skew between servers that is tolerated: an activity within it is not in the future. */
const CLOCK_SKEW_MAX_MS = 60_000;

/** Reads everything that the rules need for a batch of leads. */
export async function findForLeads(
  tx: Queryable,
  accountId: string,
  leads: Lead[],
  now: Date,
): Promise<LeadContext> {
  const [contacts, liveProjectIds, units, activeUserIds, tagIds] = await Promise.all([
    findContactsOfLeads(tx, accountId, leads, now),
    findLiveProjects(tx, accountId, collectIds(leads, 'projectId')),
    findLinkableUnits(tx, accountId, collectIds(leads, 'unitId')),
    findActiveUsers(tx, accountId, collectIds(leads, 'assignedAccountUserId')),
    findTags(
      tx,
      accountId,
      leads.flatMap(({ tags }) => tags),
    ),
  ]);
  return {
    contacts,
    liveProjectIds,
    units,
    activeUserIds,
    tagIds: Object.fromEntries(tagIds),
  };
}

/** Finds the contacts that have the emails of leads, in the order of their ids. */
async function findContactsOfLeads(
  tx: Queryable,
  accountId: string,
  leads: Lead[],
  now: Date,
): Promise<FoundContact[]> {
  const emailKeys = [...new Set(leads.map(({ emailKey }) => emailKey))];
  if (emailKeys.length === 0) return [];
  // Most leads are of new contacts, so only the ids are read here.
  const found = await query<{ id: string }>(
    tx,
    'import_contacts_find',
    sql`select c.id
      from unnest(${emailKeys}::text[]) as wanted
      cross join lateral (
        select id from contacts
        where account_id = ${accountId} and email_key = wanted
        offset 0
      ) c`,
  );
  const ids = found.map(({ id }) => id);
  return readContacts(tx, accountId, ids, { leads, now });
}

/** Reads contacts with all that the rules need, in the order of their ids. */
async function readContacts(
  tx: Queryable,
  accountId: string,
  ids: string[],
  { leads, now }: { leads: Lead[]; now: Date },
): Promise<FoundContact[]> {
  if (ids.length === 0) return [];
  // Ignore activities dated in the future; otherwise a future one is always the latest, and every import adds the same note.
  const latestAt = new Date(now.getTime() + CLOCK_SKEW_MAX_MS);
  const hasFileLeads = leads.some(({ isOfFile }) => isOfFile);
  const fileNotes = leads.flatMap(({ isOfFile, notes }) => (isOfFile ? notes : []));
  return queryStoredRows<FoundContact>(
    tx,
    'import_contacts_read',
    sql`select ${contactRow.select('c')}, c.version,
        array(
          select (
            select label_key from tags where tags.account_id = ${accountId} and tags.id = contact_tags.tag_id
          )
          from contact_tags
          where contact_tags.account_id = ${accountId} and contact_tags.contact_id = c.id
        ) as "tagKeys",
        (
          select coalesce(json_agg(json_build_object('projectId', project_id, 'unitId', unit_id)), '[]')
          from contact_links
          where contact_links.account_id = ${accountId} and contact_links.contact_id = c.id
        ) as links,
        (
          select body from activities
          where activities.account_id = ${accountId} and activities.contact_id = c.id
            and activities.occurred_at <= ${latestAt} and activities.type <> 'enquiry'
          order by occurred_at desc, activities.id desc limit 1
        ) as "latestNote",
        array(
          select body from activities
          where ${fileNotes.length > 0}::boolean
            and activities.account_id = ${accountId} and activities.contact_id = c.id
            and body = any(${fileNotes}::text[])
        ) as "knownNotes",
        (
          select coalesce(json_agg(enquiry.values), '[]') from (
            select "values" from activities
            where activities.account_id = ${accountId} and activities.contact_id = c.id
              and activities.type = 'enquiry'
            order by occurred_at desc, activities.id desc limit ${hasFileLeads ? null : 1}::bigint
          ) enquiry
        ) as enquiries
      from unnest(${ids}::uuid[]) as wanted
      cross join lateral (
        select * from contacts
        where account_id = ${accountId} and id = wanted
        offset 0
      ) c
      order by c.id`,
  );
}

/** Finds the live projects among these. */
async function findLiveProjects(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await query<{ id: string }>(
    tx,
    'import_live_projects_find',
    sql`select project.id
      from unnest(${ids}::uuid[]) as wanted
      cross join lateral (
        select id from projects
        where account_id = ${accountId} and id = wanted and publication = 'live'
        offset 0
      ) project`,
  );
  return rows.map(({ id }) => id);
}

/** Finds the units among these that can be linked, with their projects. A withdrawn unit cannot. */
async function findLinkableUnits(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<{ id: string; projectId: string }[]> {
  if (ids.length === 0) return [];
  return query<{ id: string; projectId: string }>(
    tx,
    'import_units_find',
    sql`select unit.id, unit."projectId"
      from unnest(${ids}::uuid[]) as wanted
      cross join lateral (
        select id, project_id as "projectId" from units
        where account_id = ${accountId} and id = wanted and status <> 'Withdrawn'
        offset 0
      ) unit`,
  );
}

/** Finds the active users among these. */
async function findActiveUsers(tx: Queryable, accountId: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await query<{ id: string }>(
    tx,
    'import_users_find',
    sql`select account_user.id
      from unnest(${ids}::uuid[]) as wanted
      cross join lateral (
        select id from users
        where account_id = ${accountId} and id = wanted and active
        offset 0
      ) account_user`,
  );
  return rows.map(({ id }) => id);
}

const TABLES: Record<Reference, Sql> = {
  projectId: sql`projects`,
  unitId: sql`units`,
  assignedAccountUserId: sql`users`,
};

/** Whether the account has a row with one of these ids. */
export async function hasAnyId(
  db: Queryable,
  accountId: string,
  reference: Reference,
  ids: string[],
): Promise<boolean> {
  if (ids.length === 0) return false;
  const rows = await query(
    db,
    `import_${reference}_find`,
    sql`select id from ${TABLES[reference]}
      where account_id = ${accountId} and id = any(${ids}::uuid[]) limit 1`,
  );
  return rows.length > 0;
}

function collectIds(leads: Lead[], reference: Reference): string[] {
  return [...new Set(leads.flatMap((lead) => lead[reference] ?? []))].filter(isUuid);
}
