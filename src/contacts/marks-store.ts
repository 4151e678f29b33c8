import sql, { raw } from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';
import { ANSWER_TYPES, CLOCK_SKEW_MAX_MS } from './schemas.ts';

/* Updates of the columns of a contact that summarize its tags, links and activities, so that lists need not read those rows. */

/** Computes again the latest activities and the first answers of contacts, after activities were changed, moved or removed. */
export async function refreshActivityTimes(
  tx: Queryable,
  accountId: string,
  contactIds: string[],
  now: Date,
): Promise<void> {
  const latestAt = new Date(now.getTime() + CLOCK_SKEW_MAX_MS);
  await query(
    tx,
    'contacts_refresh_activities',
    sql`update contacts set latest_activity_at = coalesce((
        select occurred_at from activities
        where activities.account_id = ${accountId} and activities.contact_id = contacts.id
          and occurred_at <= ${latestAt}
        order by occurred_at desc, activities.id desc limit 1
      ), case when created_at > ${now} then ${now}::timestamptz end), first_answer_at = (
        select min(occurred_at) from activities
        where activities.account_id = ${accountId} and activities.contact_id = contacts.id
          and type = any(${ANSWER_TYPES}) and occurred_at >= contacts.created_at
      )
      where account_id = ${accountId} and id = any(${contactIds}::uuid[])`,
  );
}

/** Computes again whether contacts have tags and links, and of which projects, after some were moved or removed. */
export async function refreshMarks(
  tx: Queryable,
  accountId: string,
  contactIds: string[],
): Promise<void> {
  const ofContact = (alias: string) =>
    sql`${raw(alias)}.account_id = ${accountId} and ${raw(alias)}.contact_id = contacts.id`;
  const hasTag = sql`exists (select from contact_tags tagged where ${ofContact('tagged')})`;
  const hasProject = sql`exists (select from contact_links link where ${ofContact('link')})`;
  const hasUnit = sql`exists (
    select from contact_links link where ${ofContact('link')} and link.unit_id is not null
  )`;
  const projectIds = sql`array(
    select distinct project_id from contact_links link where ${ofContact('link')} order by project_id
  )`;
  await query(
    tx,
    'contacts_refresh_marks',
    sql`update contacts set has_tag = ${hasTag}, has_project = ${hasProject}, has_unit = ${hasUnit}, project_ids = ${projectIds}
      where account_id = ${accountId} and id = any(${contactIds}::uuid[])
        and (has_tag <> ${hasTag} or has_project <> ${hasProject} or has_unit <> ${hasUnit}
          or project_ids <> ${projectIds})`,
  );
}
