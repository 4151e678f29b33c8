import sql, { empty } from 'sql-template-tag';
import { readByIds, type Queryable } from '../../platform/database/index.ts';
import type { ListSelection } from '../../platform/http/index.ts';
import { matchesActivityFilter, selectActivities } from '../activities/list-store.ts';
import type { ReadActivity } from '../activities/rules.ts';
import type { ActivityFilter } from '../activities/schemas.ts';
import { matchesFilter, type Reader } from '../list/conditions.ts';
import type { ContactFilter } from '../list/filter.ts';
import { selectAllInOrder } from '../list/page.ts';
import { selectContacts, type ReadContact } from '../list/store.ts';
import type { ContactNames } from './columns.ts';

/** Selects the names of the person to whom a contact is assigned, and of its projects and units. */
const selectNames = (accountId: string) => sql`, (
      select users.name from users
      where users.account_id = ${accountId} and users.id = contacts.assigned_account_user_id
    ) as "assignedTo", (
      select string_agg(concat_ws(', ', projects.name, units.name), '; ' order by link.id)
      from contact_links link
      join projects on projects.account_id = link.account_id and projects.id = link.project_id
      left join units on units.account_id = link.account_id and units.id = link.unit_id
      where link.account_id = ${accountId} and link.contact_id = contacts.id
    ) as "interestedIn"`;

/** Reads all contacts that match, in the order of the sort. */
export function readContacts(
  tx: Queryable,
  reader: Reader,
  { filter, sort }: ListSelection<ContactFilter>,
  { withNames }: { withNames: boolean },
): AsyncGenerator<(ReadContact & ContactNames)[]> {
  const { accountId } = reader;
  return readByIds(tx, {
    name: withNames ? 'contacts_export_names' : 'contacts_export',
    ids: selectAllInOrder(matchesFilter(reader, filter), sort),
    select: (wanted) => sql`
      select ${selectContacts(accountId, { withLinks: false })}, null as "sortValue"
        ${withNames ? selectNames(accountId) : empty}
      from ${wanted} join contacts on contacts.account_id = ${accountId} and contacts.id = wanted.id`,
  });
}

/** Reads all activities that match, the newest first. */
export function readActivities(
  tx: Queryable,
  reader: Reader,
  { filter }: ListSelection<ActivityFilter>,
): AsyncGenerator<ReadActivity[]> {
  const { accountId } = reader;
  return readByIds(tx, {
    name: 'activities_export',
    // The note of an import can have a megabyte, so estimate the bytes of each row.
    ids: sql`select activities.id, octet_length(activities.body) + 512 as bytes from activities where ${matchesActivityFilter(reader, filter)}
      order by activities.occurred_at desc, activities.id desc`,
    select: (wanted) => sql`
      select ${selectActivities(accountId)}
      from ${wanted} join activities on activities.account_id = ${accountId} and activities.id = wanted.id`,
  });
}
