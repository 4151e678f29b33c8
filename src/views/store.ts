import sql from 'sql-template-tag';
import { selectActorName } from '../access/index.ts';
import { query, type Queryable } from '../platform/database/index.ts';
import type { StoredView } from './rules.ts';

/** A view with its version, and the name of its owner. */
export interface NamedView extends StoredView {
  version: number;
  ownerName: string | null;
}

/** Lists all views of an account. */
export function listViews(db: Queryable, accountId: string): Promise<NamedView[]> {
  return query<NamedView>(
    db,
    'views_list',
    sql`select id, resource, name, name_key as "nameKey", filter, sort, columns, shared, version,
        json_build_object('type', owner_type, 'id', owner_id) as owner, ${selectActorName(accountId, sql`views.owner_id`)} as "ownerName"
      from views where account_id = ${accountId}`,
  );
}

/** Counts the views of an account that somebody sees. Nobody sees the private ones of a person who left, or of a revoked key. */
export async function countUsableViews(tx: Queryable, accountId: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    'views_count_usable',
    sql`select count(*)::int as count from views where account_id = ${accountId} and (shared
      or owner_id in (select id from users where account_id = ${accountId} and active)
      or owner_id in (select id from api_keys where account_id = ${accountId} and revoked_at is null))`,
  );
  return row?.count ?? 0;
}

/** Inserts a view, or updates it and raises its version. */
export async function writeView(
  tx: Queryable,
  accountId: string,
  { id, resource, name, nameKey, filter, sort, columns, shared, owner }: StoredView,
): Promise<void> {
  const columnsText = columns == null ? null : JSON.stringify(columns);
  await query(
    tx,
    'view_write',
    sql`insert into views (account_id, id, resource, name, name_key, filter, sort, columns, shared, owner_type, owner_id)
      values (${accountId}, ${id}, ${resource}, ${name}, ${nameKey}, ${JSON.stringify(filter)}::jsonb, ${sort},
        ${columnsText}::jsonb, ${shared}, ${owner.type}, ${owner.id})
      on conflict (account_id, id) do update set name = excluded.name, name_key = excluded.name_key,
        filter = excluded.filter, sort = excluded.sort, columns = excluded.columns, shared = excluded.shared,
        version = views.version + 1`,
  );
}

export async function deleteView(tx: Queryable, accountId: string, id: string): Promise<void> {
  await query(
    tx,
    'view_delete',
    sql`delete from views where account_id = ${accountId} and id = ${id}`,
  );
}
