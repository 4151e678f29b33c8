import sql, { type Sql } from 'sql-template-tag';
import { contactRow, findTags } from '../contacts/index.ts';
import { findRows, query, queryStoredRows, type Queryable } from '../platform/database/index.ts';
import { isUuid } from '../platform/text/index.ts';
import type { Lead } from './lead.ts';
import type { FoundContact } from './apply-lead.ts';
import type { IdField } from './id-fields.ts';
import type { LeadContext } from './rules.ts';

/**
 * How far the clocks of two servers may differ. It is less than `CLOCK_SKEW_MAX_MS` of contacts: while an activity is ahead of the
 * clock and counts as the latest, each repeat of a lead adds its notes again.
 */
const SERVER_SKEW_MAX_MS = 60_000;

/** Reads everything that the rules need for a batch of leads. */
export async function findForLeads(
  tx: Queryable,
  accountId: string,
  leads: Lead[],
  now: Date,
): Promise<LeadContext> {
  const [contacts, projects, units, users, tagIds] = await Promise.all([
    findContactsOfLeads(tx, accountId, leads, now),
    findRows<{ id: string }>(tx, accountId, LIVE_PROJECTS, collectIds(leads, 'projectId')),
    findRows<{ id: string; projectId: string }>(
      tx,
      accountId,
      LINKABLE_UNITS,
      collectIds(leads, 'unitId'),
    ),
    findRows<{ id: string }>(
      tx,
      accountId,
      ACTIVE_USERS,
      collectIds(leads, 'assignedAccountUserId'),
    ),
    findTags(
      tx,
      accountId,
      leads.flatMap(({ tags }) => tags),
    ),
  ]);
  return {
    contacts,
    liveProjectIds: projects.map(({ id }) => id),
    units,
    activeUserIds: users.map(({ id }) => id),
    tagIds,
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
  // Most leads are of new contacts, so only the ids are read here.
  const found = await findRows<{ id: string }>(tx, accountId, CONTACTS, emailKeys);
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
  const latestAt = new Date(now.getTime() + SERVER_SKEW_MAX_MS);
  const hasFileLeads = leads.some(({ isOfFile }) => isOfFile);
  const fileNotes = leads.flatMap(({ isOfFile, notes }) => (isOfFile ? notes : []));
  const rows = await queryStoredRows<Omit<FoundContact, 'tagKeys'> & { tagKeys: string[] }>(
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
  return rows.map((row) => ({ ...row, tagKeys: new Set(row.tagKeys) }));
}

/* The rows that leads refer to. */
const CONTACTS = {
  name: 'import_contacts_find',
  table: sql`contacts`,
  key: sql`email_key`,
  type: sql`text[]`,
  select: sql`id`,
};
const LIVE_PROJECTS = {
  name: 'import_live_projects_find',
  table: sql`projects`,
  key: sql`id`,
  type: sql`uuid[]`,
  select: sql`id`,
  where: sql`and publication = 'live'`,
};
/** A withdrawn unit cannot be linked. */
const LINKABLE_UNITS = {
  name: 'import_units_find',
  table: sql`units`,
  key: sql`id`,
  type: sql`uuid[]`,
  select: sql`id, project_id as "projectId"`,
  where: sql`and status <> 'Withdrawn'`,
};
const ACTIVE_USERS = {
  name: 'import_users_find',
  table: sql`users`,
  key: sql`id`,
  type: sql`uuid[]`,
  select: sql`id`,
  where: sql`and active`,
};

/** Whether all these people are active. It sends its statements before its first await. */
export async function areActive(
  tx: Queryable,
  accountId: string,
  userIds: string[],
): Promise<boolean> {
  return (await findRows(tx, accountId, ACTIVE_USERS, userIds)).length === userIds.length;
}

export interface TagOfContact {
  contactId: string;
  tagId: string;
}

/** Whether one of these contacts already has the tag of its entry. It sends its statement before its first await. */
export async function hasAnyTag(
  tx: Queryable,
  accountId: string,
  tags: TagOfContact[],
): Promise<boolean> {
  if (tags.length === 0) return false;
  const rows = await query(
    tx,
    'import_tags_of_contacts_find',
    sql`select from unnest(
        ${tags.map(({ contactId }) => contactId)}::uuid[], ${tags.map(({ tagId }) => tagId)}::uuid[]
      ) as wanted (contact_id, tag_id)
      cross join lateral (
        select from contact_tags
        where account_id = ${accountId} and contact_tags.contact_id = wanted.contact_id
          and contact_tags.tag_id = wanted.tag_id
        offset 0
      ) tagged
      limit 1`,
  );
  return rows.length > 0;
}

const TABLES: Record<IdField, Sql> = {
  projectId: sql`projects`,
  unitId: sql`units`,
  assignedAccountUserId: sql`users`,
};

/** Whether the account has a row with one of these ids. */
export async function hasAnyId(
  db: Queryable,
  accountId: string,
  field: IdField,
  ids: string[],
): Promise<boolean> {
  if (ids.length === 0) return false;
  const rows = await query(
    db,
    `import_${field}_find`,
    sql`select id from ${TABLES[field]}
      where account_id = ${accountId} and id = any(${ids}::uuid[]) limit 1`,
  );
  return rows.length > 0;
}

function collectIds(leads: Lead[], field: IdField): string[] {
  return [...new Set(leads.flatMap((lead) => lead[field] ?? []))].filter(isUuid);
}
