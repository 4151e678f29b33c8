import sql, { type Sql } from 'sql-template-tag';

/**
 * Builds the SQL of the name of a person or an API key. `id` is the column that has the id of either. The name is null when the
 * column is null, and when the person or the key was deleted.
 */
export const selectActorName = (accountId: string, id: Sql): Sql => sql`coalesce(
    (select actor.name from users actor where actor.account_id = ${accountId} and actor.id = ${id}),
    (select actor.name from api_keys actor where actor.account_id = ${accountId} and actor.id = ${id})
  )`;
