import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { makeFirstId } from '../../platform/text/index.ts';
import { ID_SLACK_MS } from './record.ts';

/** Deletes up to 500 records that were received before a time. Returns whether there may be more. */
export async function deleteOldRecords(
  db: Queryable,
  accountId: string,
  before: Date,
): Promise<boolean> {
  const deleted = await query(
    db,
    'sweep_imports',
    sql`with old as materialized (
        select id from imports
        where account_id = ${accountId} and id < ${makeFirstId(before.getTime() + ID_SLACK_MS)}
          and received_at < ${before}
        order by id limit 500 for update skip locked
      )
      delete from imports where account_id = ${accountId} and id = any(array(select id from old))
      returning true`,
  );
  return deleted.length === 500;
}
