import sql, { type Sql } from 'sql-template-tag';
import { contactRow, selectTagsByKey } from '../contacts/index.ts';
import { query, type Queryable } from '../platform/database/index.ts';
import { isUuid } from '../platform/text/index.ts';
import type { Lead } from './lead.ts';
import type { Reference } from './references.ts';
import type { LeadContext } from './rules.ts';

/*
 * These statements look up rows by their keys, one by one. `offset 0` keeps PostgreSQL from joining the look-ups: on a table
 * without statistics, a join reads all rows of the account.
 */

/** The clock skew between servers that is tolerated: an activity within it is not in the future. */
const CLOCK_SKEW_MAX_MS = 60_000;

/** Everything that the rules need, and how many bytes of refused imports the account keeps in its log. */
interface ImportContext extends LeadContext {
  refusedBytes: number;
}

/** Reads everything that the rules need for a batch of leads, in one statement. */
export async function findForLeads(
  tx: Queryable,
  accountId: string,
  leads: Lead[],
  now: Date,
): Promise<ImportContext> {
  // Ignore activities dated in the future; otherwise a future one is always the latest, and every import adds the same note.
  const latestAt = new Date(now.getTime() + CLOCK_SKEW_MAX_MS);
  const emailKeys = [...new Set(leads.map(({ emailKey }) => emailKey))];
  const hasFileLeads = leads.some(({ isOfFile }) => isOfFile);
  const fileNotes = leads.flatMap(({ isOfFile, notes }) => (isOfFile ? notes : []));
  const [row] = await query<{ found: ImportContext }>(
    tx,
    'import_leads_find',
    sql`select json_build_object(
      'contacts', (
        select coalesce(json_agg(contact order by contact.id), '[]')
        from (
          select ${contactRow.select('c')}, c.version,
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
          from unnest(${emailKeys}::text[]) as wanted
          cross join lateral (
            select * from contacts
            where account_id = ${accountId} and email_key = wanted
            offset 0
          ) c
        ) contact
      ),
      'liveProjectIds', (
        select coalesce(json_agg(id), '[]') from (${liveProjects(accountId, leads)}) project
      ),
      'units', (
        select coalesce(json_agg(unit), '[]') from (${linkableUnits(accountId, leads)}) unit
      ),
      'activeUserIds', (
        select coalesce(json_agg(id), '[]') from (${activeUsers(accountId, leads)}) account_user
      ),
      'tagIds', (
        select coalesce(json_object_agg(key, id), '{}') from (${selectTagsByKey(accountId, collectTagKeys(leads))}) tag
      ),
      'refusedBytes', coalesce((select refused_bytes from import_log_sizes where account_id = ${accountId}), 0)
    ) as found`,
  );
  if (row === undefined) throw new Error('the statement returned no row');
  return row.found;
}

/** Selects the live projects that these leads refer to. */
function liveProjects(accountId: string, leads: Lead[]): Sql {
  return sql`select project.id
    from unnest(${collectIds(leads, 'projectId')}::uuid[]) as wanted
    cross join lateral (
      select id from projects
      where account_id = ${accountId} and id = wanted and publication = 'live'
      offset 0
    ) project`;
}

/** Selects the units that these leads refer to, with their projects. A withdrawn unit cannot be linked. */
function linkableUnits(accountId: string, leads: Lead[]): Sql {
  return sql`select unit.id, unit."projectId"
    from unnest(${collectIds(leads, 'unitId')}::uuid[]) as wanted
    cross join lateral (
      select id, project_id as "projectId" from units
      where account_id = ${accountId} and id = wanted and status <> 'Withdrawn'
      offset 0
    ) unit`;
}

/** Selects the active users that these leads refer to. */
function activeUsers(accountId: string, leads: Lead[]): Sql {
  return sql`select account_user.id
    from unnest(${collectIds(leads, 'assignedAccountUserId')}::uuid[]) as wanted
    cross join lateral (
      select id from users
      where account_id = ${accountId} and id = wanted and active
      offset 0
    ) account_user`;
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

function collectTagKeys(leads: Lead[]): string[] {
  return [...new Set(leads.flatMap(({ tags }) => tags.map(({ key }) => key)))];
}
