import sql from 'sql-template-tag';
import { selectRevision } from '../../accounts/index.ts';
import { query, type Queryable } from '../../platform/database/index.ts';
import { refreshActivityTimes } from '../marks-store.ts';
import { selectActivities } from './list-store.ts';
import type { ReadActivity } from './rules.ts';

/** Finds an activity with the name of its author. */
export async function findActivity(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<ReadActivity | undefined> {
  const [row] = await query<ReadActivity>(
    db,
    'activity_find',
    sql`select ${selectActivities(accountId)} from activities where account_id = ${accountId} and id = ${id}`,
  );
  return row;
}

type ActivityColumns = Omit<ReadActivity, 'actorName' | 'values' | 'editedAt' | 'version'>;

/** Inserts an activity. The caller must then call `touchContact`, as after `updateActivity` and `deleteActivity`. */
export async function insertActivity(
  tx: Queryable,
  accountId: string,
  {
    id,
    contactId,
    type,
    body,
    outcome,
    occurredAt,
    actorType,
    actorId,
    createdAt,
  }: ActivityColumns,
): Promise<void> {
  await query(
    tx,
    'activity_insert',
    sql`insert into activities (account_id, id, contact_id, type, body, outcome, occurred_at, actor_type, actor_id, created_at)
      values (${accountId}, ${id}, ${contactId}, ${type}, ${body}, ${outcome}, ${occurredAt}, ${actorType}, ${actorId},
        ${createdAt})`,
  );
}

export async function updateActivity(
  tx: Queryable,
  accountId: string,
  {
    id,
    type,
    body,
    outcome,
    occurredAt,
  }: Pick<ReadActivity, 'id' | 'type' | 'body' | 'outcome' | 'occurredAt'>,
  editedAt: Date,
): Promise<void> {
  await query(
    tx,
    'activity_update',
    sql`update activities set type = ${type}, body = ${body}, outcome = ${outcome}, occurred_at = ${occurredAt},
        edited_at = ${editedAt}, version = version + 1
      where account_id = ${accountId} and id = ${id}`,
  );
}

export async function deleteActivity(tx: Queryable, accountId: string, id: string): Promise<void> {
  await query(
    tx,
    'activity_delete',
    sql`delete from activities where account_id = ${accountId} and id = ${id}`,
  );
}

/** Raises the version of a contact after a change of its activities, and updates the time of its latest activity. */
export async function touchContact(
  tx: Queryable,
  accountId: string,
  contactId: string,
  now: Date,
): Promise<void> {
  await query(
    tx,
    'contact_touch',
    sql`update contacts set version = version + 1, revision = ${selectRevision(accountId)}
      where account_id = ${accountId} and id = ${contactId}`,
  );
  await refreshActivityTimes(tx, accountId, [contactId], now);
}
