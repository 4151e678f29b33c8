import sql, { type Sql } from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';
import type { Lead } from './lead.ts';
import type { ImportRecord } from './log/record.ts';
import { recordsInsert } from './log/store.ts';
import { type Changes, inLockOrder, tagsByKey, changesOf } from '../contacts/index.ts';
import type { Found } from './plan.ts';
import { isUuid } from '../platform/text/index.ts';
import { activeUsers, idsOf, linkableUnits, liveProjects, tagKeysOf } from './store.ts';

/** What is found for newcomers, beside their tags. */
type Expected = Pick<Found, 'liveProjectIds' | 'units' | 'activeUserIds'>;

/** What there is to be found for newcomers: leads whose emails no contact has, and all of whose references are right. */
export function expectedOf(leads: Lead[]): Expected {
  const units = leads.flatMap(({ unitId: id, projectId }) =>
    isId(id) && isId(projectId) ? [[id, { id, projectId }] as const] : [],
  );
  return {
    liveProjectIds: idsOf(leads, 'projectId'),
    units: [...new Map(units).values()],
    activeUserIds: idsOf(leads, 'assignedAccountUserId'),
  };
}

// What is no UUID is found nowhere, and PostgreSQL takes spellings for one that are none of ours.
function isId(text: string | null): text is string {
  return text !== null && isUuid(text);
}

/** Whether leads that were looked up could have been written as newcomers. */
export function wereNewcomers(leads: Lead[], found: Found): boolean {
  const { liveProjectIds, units, activeUserIds } = expectedOf(leads);
  return (
    found.contacts.length === 0 &&
    found.liveProjectIds.length === liveProjectIds.length &&
    found.units.length === units.length &&
    found.activeUserIds.length === activeUserIds.length &&
    Object.keys(found.tagIds).length === tagKeysOf(leads).length
  );
}

/**
 * Writes what was planned for newcomers, if that is what they are: looks, locks and writes in one statement, which
 * commits by itself, so that a lead takes one round trip. False, with nothing written but locks, when they are not: they
 * have to be looked up and planned again. A lock that nobody has had is what keeps two from making a contact of one email,
 * since this statement cannot see what was committed while it waited for one.
 */
export async function newcomersWrite(
  db: Queryable,
  accountId: string,
  leads: Lead[],
  { expected, changes, records }: { expected: Expected; changes: Changes; records: ImportRecord[] },
): Promise<boolean> {
  const emailKeys = inLockOrder(leads.map(({ emailKey }) => emailKey));
  // What is there all the same fails the statement, and is looked up then.
  const inserting = { condition: sql`where (select holds from verdict)`, areNew: true };
  const [row] = await query<{ holds: boolean }>(
    db,
    'newcomers_write',
    sql`with known_tags as materialized (${tagsByKey(accountId, tagKeysOf(leads))}),
      looked as materialized (select ${areNewcomers(accountId, leads, emailKeys, expected)} as holds),
      new_emails as (
        insert into email_locks (account_id, email_key)
        select ${accountId}, email_key from unnest(${emailKeys}::text[]) as email_key
        where (select holds from looked)
        on conflict (account_id, email_key) do nothing
        returning true
      ),
      verdict as materialized (
        select holds and (select count(*) from new_emails) = ${emailKeys.length} as holds from looked
      ),
      ${changesOf(accountId, changes, taggedByKey(changes), inserting)},
      logged as (${recordsInsert(accountId, records, inserting)})
      select holds from verdict`,
  );
  return row?.holds === true;
}

function areNewcomers(
  accountId: string,
  leads: Lead[],
  emailKeys: string[],
  { liveProjectIds, units, activeUserIds }: Expected,
): Sql {
  return sql`not exists (
      select from unnest(${emailKeys}::text[]) as wanted
      cross join lateral (
        select from contacts where account_id = ${accountId} and email_key = wanted offset 0
      ) contact
    )
    and (select count(*) from known_tags) = ${tagKeysOf(leads).length}
    and (select count(*) from (${liveProjects(accountId, leads)}) project) = ${liveProjectIds.length}
    and (
      select count(*) from (${linkableUnits(accountId, leads)}) unit
      join json_to_recordset(${JSON.stringify(units)}::json) as named(id uuid, "projectId" uuid)
        using (id, "projectId")
    ) = ${units.length}
    and (select count(*) from (${activeUsers(accountId, leads)}) account_user) = ${activeUserIds.length}`;
}

function taggedByKey({ tagged }: Changes): Sql {
  const rows = tagged.map(({ id, contactId, tag }) => ({ id, contactId, key: tag.key }));
  return sql`(
      select t.id, t."contactId", tag.id as "tagId"
      from json_to_recordset(${JSON.stringify(rows)}::json) as t(id uuid, "contactId" uuid, key text)
      join known_tags tag using (key)
    ) as r`;
}
